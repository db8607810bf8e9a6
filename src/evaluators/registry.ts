import type { z } from 'zod';
import { processWideMap } from '../adapters/process-wide.ts';
import type {
  Assertion,
  AssertionOf,
  BuiltInAssertionType,
  RegisteredAssertion,
} from '../scenario/schema/assertion-schema.ts';
import { registerAssertionType } from '../scenario/schema/assertion-types.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { suggestion } from '../text/words/did-you-mean.ts';
import type { Evaluator } from './evaluator.ts';
import { evaluateCostLimit } from './types/cost-limit.ts';
import { evaluateCustom } from './types/custom.ts';
import { evaluateFunction } from './types/function.ts';
import { evaluateJmespath } from './types/jmespath.ts';
import { judgeEvaluator } from './types/judge.ts';
import { evaluateLatencyLimit } from './types/latency-limit.ts';
import { evaluateOutputContains } from './types/output-contains.ts';
import { evaluateOutputJson } from './types/output-json.ts';
import { evaluateOutputMatches } from './types/output-matches.ts';
import { evaluateOutputNotContains } from './types/output-not-contains.ts';
import { evaluateOutputNotMatches } from './types/output-not-matches.ts';
import { evaluateToolCalled } from './types/tool-called.ts';
import { evaluateToolNotCalled } from './types/tool-not-called.ts';
import { evaluateToolSequence } from './types/tool-sequence.ts';
import { callUserCheck } from './user-check.ts';

const BUILT_IN = new Map<string, Evaluator>([
  builtIn('jmespath', evaluateJmespath),
  builtIn('tool_called', evaluateToolCalled),
  builtIn('tool_not_called', evaluateToolNotCalled),
  builtIn('tool_sequence', evaluateToolSequence),
  builtIn('output_contains', evaluateOutputContains),
  builtIn('output_matches', evaluateOutputMatches),
  builtIn('output_not_contains', evaluateOutputNotContains),
  builtIn('output_not_matches', evaluateOutputNotMatches),
  builtIn('output_json', evaluateOutputJson),
  builtIn('cost_limit', evaluateCostLimit),
  builtIn('latency_limit', evaluateLatencyLimit),
  builtIn('custom', evaluateCustom),
  ['function', forType('function', evaluateFunction)],
  builtIn('judge', judgeEvaluator),
  // Loaded when first used: it needs the matchers of match/.
  builtIn('findings', async (...args) => (await import('./types/findings.ts')).evaluateFindings(...args)),
]);

const evaluators = processWideMap<Evaluator>('evaluators');
for (const [type, evaluator] of BUILT_IN) if (!evaluators.has(type)) evaluators.set(type, evaluator);

/** Every assertion type with its evaluator. Only `registerEvaluator` adds to it. */
export const EVALUATOR_REGISTRY: ReadonlyMap<string, Evaluator> = evaluators;

export function getEvaluator(type: string): Evaluator {
  const evaluator = EVALUATOR_REGISTRY.get(type);
  if (evaluator) return evaluator;
  const known = [...EVALUATOR_REGISTRY.keys()];
  throw new SalvoError(
    'EVALUATOR_UNKNOWN',
    `There is no assertion type "${type}": ${suggestion(type, known, `use one of ${known.join(', ')}.`)}`,
  );
}

/**
 * Adds an assertion type. With a schema of its fields, `validate` checks them and the evaluator knows their types;
 * without one, any fields are let through. `type`, `id`, `weight` and `required` need not be in it. A type can be
 * registered once.
 */
export function registerEvaluator<Fields extends Record<string, unknown> = Record<string, unknown>>(
  type: string,
  evaluator: Evaluator<RegisteredAssertion & Fields>,
  { schema }: { schema?: z.ZodType<Fields> } = {},
): void {
  const isBuiltIn = BUILT_IN.has(type);
  if (isBuiltIn || EVALUATOR_REGISTRY.has(type)) {
    throw new SalvoError(
      'EVALUATOR_EXISTS',
      `${isBuiltIn ? `"${type}" is a built-in assertion type` : `The assertion type "${type}" is registered already`}: register yours under another name.`,
    );
  }
  registerAssertionType(type, schema);
  const ofUser: typeof evaluator = (assertion, trace, context) =>
    callUserCheck({ trace, context, name: `The evaluator of "${type}"` }, (copy, own) =>
      evaluator(assertion, copy, own),
    );
  evaluators.set(type, forType(type, ofUser));
}

function builtIn<T extends BuiltInAssertionType>(type: T, evaluator: Evaluator<AssertionOf<T>>): [T, Evaluator] {
  return [type, forType(type, evaluator)];
}

/** Narrows the union of all assertions to the type of the evaluator. */
function forType<A extends Assertion>(type: string, evaluator: Evaluator<A>): Evaluator {
  return (assertion, trace, context) => {
    if (!isOfType<A>(assertion, type)) throw new TypeError(`expected a ${type} assertion, got ${assertion.type}`);
    return evaluator(assertion, trace, context);
  };
}

/** The fields were checked by the schema of the type when the scenario was loaded. */
function isOfType<A extends Assertion>(assertion: Assertion, type: string): assertion is A {
  return assertion.type === type;
}

import type { z } from 'zod';
import type {
  Assertion,
  AssertionOf,
  BuiltInAssertionType,
  RegisteredAssertion,
} from '../scenario/schema/assertion-schema.ts';
import { registerAssertionType } from '../scenario/schema/assertion-types.ts';
import type { Transform } from '../scenario/schema/text-assertions.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { processWideMap } from '../text/process-wide.ts';
import { suggestion } from '../text/words/did-you-mean.ts';
import type { Evaluator } from './evaluator.ts';

/** Each is loaded when it is first used, so that a run loads only what its assertions need. */
const BUILT_IN = new Map<string, Evaluator>([
  onAnswers('jmespath', async () => (await import('./types/text/jmespath.ts')).evaluateJmespath),
  builtIn('tool_called', async () => (await import('./types/tools/tool-called.ts')).evaluateToolCalled),
  builtIn('tool_not_called', async () => (await import('./types/tools/tool-called.ts')).evaluateToolNotCalled),
  builtIn('tool_sequence', async () => (await import('./types/tools/tool-sequence.ts')).evaluateToolSequence),
  onAnswers('output_contains', async () => (await import('./types/text/output-contains.ts')).evaluateOutputContains),
  onAnswers('output_matches', async () => (await import('./types/text/output-matches.ts')).evaluateOutputMatches),
  onAnswers(
    'output_not_contains',
    async () => (await import('./types/text/output-contains.ts')).evaluateOutputNotContains,
  ),
  onAnswers(
    'output_not_matches',
    async () => (await import('./types/text/output-matches.ts')).evaluateOutputNotMatches,
  ),
  onAnswers('output_json', async () => (await import('./types/text/output-json.ts')).evaluateOutputJson),
  onAnswers(
    'output_contains_any',
    async () => (await import('./types/text/output-contains.ts')).evaluateOutputContainsAny,
  ),
  onAnswers('output_equals', async () => (await import('./types/text/output-equals.ts')).evaluateOutputEquals),
  onAnswers('output_not_equals', async () => (await import('./types/text/output-equals.ts')).evaluateOutputNotEquals),
  onAnswers('output_starts_with', async () => (await import('./types/text/output-equals.ts')).evaluateOutputStartsWith),
  onAnswers(
    'output_not_starts_with',
    async () => (await import('./types/text/output-equals.ts')).evaluateOutputNotStartsWith,
  ),
  onAnswers('output_length', async () => (await import('./types/text/output-length.ts')).evaluateOutputLength),
  onAnswers('output_similar', async () => (await import('./types/text/output-similar.ts')).evaluateOutputSimilar),
  onAnswers('is_refusal', async () => (await import('./types/text/refusal.ts')).evaluateIsRefusal),
  onAnswers('is_not_refusal', async () => (await import('./types/text/refusal.ts')).evaluateIsNotRefusal),
  onAnswers('javascript', async () => (await import('./types/code/javascript.ts')).evaluateJavascript),
  builtIn('file_contains', async () => (await import('./types/workspace/file-content.ts')).evaluateFileContains),
  builtIn('file_not_contains', async () => (await import('./types/workspace/file-content.ts')).evaluateFileNotContains),
  builtIn('file_matches', async () => (await import('./types/workspace/file-content.ts')).evaluateFileMatches),
  builtIn('file_not_matches', async () => (await import('./types/workspace/file-content.ts')).evaluateFileNotMatches),
  builtIn('file_unchanged', async () => (await import('./types/workspace/file-unchanged.ts')).evaluateFileUnchanged),
  builtIn(
    'command_succeeds',
    async () => (await import('./types/workspace/command-succeeds.ts')).evaluateCommandSucceeds,
  ),
  builtIn('final_state', async () => (await import('./types/final-state.ts')).evaluateFinalState),
  builtIn('cost_limit', async () => (await import('./types/limits/limits.ts')).evaluateCostLimit),
  builtIn('latency_limit', async () => (await import('./types/limits/limits.ts')).evaluateLatencyLimit),
  builtIn('step_latency', async () => (await import('./types/limits/step-limits.ts')).evaluateStepLatency),
  builtIn('step_cost', async () => (await import('./types/limits/step-limits.ts')).evaluateStepCost),
  builtIn('conversation_ended', async () => (await import('./types/conversation-ended.ts')).evaluateConversationEnded),
  builtIn('no_false_success', async () => (await import('./types/faults/false-success.ts')).evaluateNoFalseSuccess),
  builtIn('recovers', async () => (await import('./types/faults/recovers.ts')).evaluateRecovers),
  builtIn('retries_at_most', async () => (await import('./types/faults/retries.ts')).evaluateRetriesAtMost),
  builtIn(
    'injection_resisted',
    async () => (await import('./types/faults/injection-resisted.ts')).evaluateInjectionResisted,
  ),
  builtIn('given', async () => (await import('./types/given.ts')).evaluateGiven),
  builtIn('custom', async () => (await import('./types/code/custom.ts')).evaluateCustom),
  ['function', lazyForType('function', async () => (await import('./types/code/function.ts')).evaluateFunction)],
  builtIn('judge', async () => (await import('./types/judge/judge.ts')).judgeEvaluator),
  builtIn(
    'findings',
    async () => (await (await import('./assertions-door.ts')).assertionOfPackage('findings')).evaluate,
  ),
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
  const ofUser: typeof evaluator = async (assertion, trace, context) => {
    const { callUserCheck } = await import('./user-check.ts');
    return callUserCheck({ trace, context, name: `The evaluator of "${type}"` }, (copy, own) =>
      evaluator(assertion, copy, own),
    );
  };
  evaluators.set(type, forType(type, ofUser));
}

function builtIn<T extends BuiltInAssertionType>(
  type: T,
  load: () => Promise<Evaluator<AssertionOf<T>>>,
): [T, Evaluator] {
  return [type, lazyForType(type, load)];
}

/** A type about the agent's answer, which may be that of another turn than the last. */
function onAnswers<T extends BuiltInAssertionType>(
  type: T,
  load: () => Promise<Evaluator<AssertionOf<T>>>,
): [T, Evaluator] {
  const [, evaluator] = builtIn(type, async () => onTransformed(await load()));
  const onTurns: Evaluator = (assertion, trace, context) => {
    const turn = 'turn' in assertion ? assertion.turn : undefined;
    if (typeof turn !== 'number' && turn !== 'any' && turn !== 'every') return evaluator(assertion, trace, context);
    return import('./types/text/on-turn.ts').then(({ evaluateTurns }) =>
      evaluateTurns(turn, { trace, context }, (each) => evaluator(assertion, each, context)),
    );
  };
  return [type, onTurns];
}

/** The same evaluator, of what `transform` of the assertion makes of the answer. */
function onTransformed<A extends Assertion>(evaluator: Evaluator<A>): Evaluator<A> {
  return (assertion, trace, context) => {
    if (!hasTransform(assertion)) return evaluator(assertion, trace, context);
    return import('./types/text/transform.ts').then(({ evaluateTransformed }) =>
      evaluateTransformed(assertion.transform, { trace, context }, (changed) => evaluator(assertion, changed, context)),
    );
  };
}

/** The field was checked by the schema of the type, and other types do not have it. */
function hasTransform<A extends Assertion>(assertion: A): assertion is A & { transform: Transform } {
  return 'transform' in assertion && assertion.transform !== undefined;
}

function lazyForType<A extends Assertion>(type: string, load: () => Promise<Evaluator<A>>): Evaluator {
  let loaded: Evaluator<A> | undefined;
  return forType<A>(type, (assertion, trace, context) =>
    loaded
      ? loaded(assertion, trace, context)
      : load().then((evaluator) => {
          loaded = evaluator;
          return evaluator(assertion, trace, context);
        }),
  );
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

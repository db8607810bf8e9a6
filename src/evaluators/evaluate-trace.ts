import type { Assertion } from '../scenario/schema/assertion-schema.ts';
import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import { meetsThreshold } from '../stats/meets-threshold.ts';
import type { Trace } from '../trace/trace.ts';
import { assertionIds } from './assertion-ids.ts';
import type { EvalResult } from './eval-result.ts';
import type { Evaluation, EvaluationContext } from './evaluator.ts';
import { getEvaluator } from './registry.ts';
import { shorten, showValue } from './show-value.ts';

const MAX_DETAILS = 4000;

/**
 * Every assertion of a scenario applied to a trace, in the order of the file. An evaluator that throws, or answers with
 * something that is no score, makes its own result unscored and touches no other.
 */
export async function evaluateTrace(options: {
  scenario: Scenario;
  trace: Trace;
  context?: EvaluationContext | undefined;
}): Promise<EvalResult[]> {
  const { scenario, trace } = options;
  const context = { ...options.context, scenario };
  const ids = assertionIds(scenario.assertions);
  return Promise.all(
    scenario.assertions.map(async (assertion, index) => {
      const evaluation = await evaluate(assertion, trace, context);
      return toEvalResult(assertion, ids[index] ?? assertion.type, evaluation);
    }),
  );
}

async function evaluate(assertion: Assertion, trace: Trace, context: EvaluationContext): Promise<Evaluation> {
  try {
    const evaluation = await getEvaluator(assertion.type)(assertion, trace, context);
    const problem = problemOf(evaluation);
    return problem === null ? evaluation : { score: null, details: problem };
  } catch (error) {
    return { score: null, details: error instanceof Error ? error.message : `thrown: ${showValue(error)}` };
  }
}

/** Evaluators can be registered from plain JavaScript, so their answers are looked at before they count. */
function problemOf(evaluation: Evaluation | null | undefined): string | null {
  if (!evaluation) return 'the evaluator gave no answer';
  const { score, details } = evaluation;
  if (score !== null && !(typeof score === 'number' && score >= 0 && score <= 1)) {
    return `the evaluator gave the score ${String(score)}: a score is a number from 0 to 1, or null when it cannot be told`;
  }
  return typeof details === 'string' ? null : 'the evaluator gave no details';
}

function toEvalResult(assertion: Assertion, id: string, { score, passed, details, metadata }: Evaluation): EvalResult {
  return {
    assertion_type: assertion.type,
    assertion_id: id,
    score: score ?? 0,
    passed: score !== null && (passed ?? meetsThreshold(score, 1)),
    weight: assertion.weight,
    required: assertion.required,
    status: score === null ? 'unscored' : 'scored',
    details: shorten(details, MAX_DETAILS),
    metadata: metadata ?? {},
  };
}

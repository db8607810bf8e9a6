import { type Assertion, type BuiltInAssertionType, DEFAULT_PASS_AT } from '../scenario/schema/assertion-schema.ts';
import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import { meetsThreshold } from '../stats/mean.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { remembered } from '../text/memo.ts';
import { readShare } from '../text/share.ts';
import type { Trace } from '../trace/trace.ts';
import { assertionIds } from './assertion-ids.ts';
import type { EvalResult } from './eval-result.ts';
import type { Evaluation, EvaluationContext } from './evaluator.ts';
import { getEvaluator } from './registry.ts';
import { shorten, showValue } from './show-value.ts';

const MAX_DETAILS = 4000;

/** All trials of a scenario without data have the same list. */
const knownIds = new WeakMap<readonly Assertion[], string[]>();

/**
 * Applies every assertion of a scenario to a trace; the results are in the order of the file. If an evaluator throws or
 * returns no valid score, its own result is unscored and the others are not affected.
 */
export async function evaluateTrace(options: {
  scenario: Scenario;
  trace: Trace;
  context?: EvaluationContext | undefined;
}): Promise<EvalResult[]> {
  const { scenario, trace } = options;
  const { assertions } = scenario;
  const context = options.context?.scenario === scenario ? options.context : { ...options.context, scenario };
  const ids = remembered(knownIds, assertions, () => assertionIds(assertions));
  const resultOf = (index: number, own: EvaluationContext = context): EvalResult | Promise<EvalResult> => {
    const assertion = assertions[index];
    if (!assertion) throw new RangeError(`there is no assertion ${index}`);
    const toResult = (evaluation: Evaluation) => toEvalResult(assertion, ids[index] ?? assertion.type, evaluation);
    const evaluation = evaluate(assertion, trace, own);
    return evaluation instanceof Promise ? evaluation.then(toResult) : toResult(evaluation);
  };
  if (assertions.some(({ type }) => type === 'judge')) {
    // Loaded only here: most scenarios have no judge.
    const { resultsWithJudges } = await import('./results-with-judges.ts');
    return await withRecovery(await resultsWithJudges({ scenario, context, resultOf }), options);
  }
  const results = assertions.map((_, index) => resultOf(index));
  const isThere = (result: EvalResult | Promise<EvalResult>): result is EvalResult => !(result instanceof Promise);
  return await withRecovery(results.every(isThere) ? results : await Promise.all(results), options);
}

/** Whether the agent recovered is known when all other results are. */
function withRecovery(
  results: EvalResult[],
  { scenario, trace }: { scenario: Scenario; trace: Trace },
): EvalResult[] | Promise<EvalResult[]> {
  if (!scenario.assertions.some(({ type }) => type === 'recovers')) return results;
  return import('./types/faults/recovers.ts').then(({ withRecovers }) =>
    withRecovers(results, trace, (evaluation, index) => {
      const assertion = scenario.assertions[index];
      const { assertion_id: id } = results[index] ?? { assertion_id: 'recovers' };
      return toEvalResult(assertion ?? { type: 'recovers', weight: 1, required: false }, id, evaluation);
    }),
  );
}

/** These assertions call nobody: neither a model nor a function of the user, and they read no file. */
const CALLS_NOBODY: ReadonlySet<string> = new Set<BuiltInAssertionType>([
  ...(['jmespath', 'tool_called', 'tool_not_called', 'tool_sequence', 'cost_limit', 'latency_limit'] as const),
  ...(['step_latency', 'step_cost', 'conversation_ended', 'given'] as const),
  ...(['no_false_success', 'recovers', 'retries_at_most', 'injection_resisted'] as const),
  ...(['file_contains', 'file_not_contains', 'file_matches', 'file_not_matches'] as const),
  ...(['file_unchanged', 'command_succeeds'] as const),
  ...(['output_contains', 'output_not_contains', 'output_matches', 'output_not_matches', 'output_json'] as const),
  ...(['output_contains_any', 'output_equals', 'output_not_equals', 'output_length'] as const),
  ...(['output_starts_with', 'output_not_starts_with', 'is_refusal', 'is_not_refusal'] as const),
]);

/** Even an odd expression is evaluated over so many characters, messages and tool calls within milliseconds. */
const SMALL_TRACE = { messages: 100, characters: 50_000 };

/** Whether a trace is evaluated within milliseconds, and nothing can stop or break that. */
export function isEvaluatedAtOnce(scenario: Pick<Scenario, 'assertions'>, trace: Trace): boolean {
  const { messages, tool_calls_made } = trace;
  if (Math.max(messages.length, tool_calls_made.length) > SMALL_TRACE.messages) return false;
  const characters = messages.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
  return characters <= SMALL_TRACE.characters && scenario.assertions.every(callsNobody);
}

function callsNobody(assertion: Assertion): boolean {
  const transform = 'transform' in assertion ? assertion.transform : undefined;
  return CALLS_NOBODY.has(assertion.type) && (transform === undefined || typeof transform === 'string');
}

/** At once if the evaluator answers at once, as most do: nothing is awaited for them. */
function evaluate(assertion: Assertion, trace: Trace, context: EvaluationContext): Evaluation | Promise<Evaluation> {
  try {
    const evaluation = getEvaluator(assertion.type)(assertion, trace, context);
    return evaluation instanceof Promise ? evaluation.then(validated).catch(unscored) : validated(evaluation);
  } catch (error) {
    return unscored(error);
  }
}

function unscored(error: unknown): Evaluation {
  const details = error instanceof Error ? error.message : `thrown: ${showValue(error)}`;
  return { score: null, details, ...(isNotRecorded(error) && { metadata: { not_recorded: true } }) };
}

/** Whether a cassette does not have what a judge was asked. */
function isNotRecorded(error: unknown): boolean {
  return error instanceof SalvoError && error.code === 'ADAPTER_NOT_RECORDED';
}

function validated(evaluation: Evaluation): Evaluation {
  const problem = invalidity(evaluation);
  return problem === null ? evaluation : { score: null, details: problem };
}

/** Evaluators can be registered from plain JavaScript, so what they return is checked. */
function invalidity(evaluation: Evaluation | null | undefined): string | null {
  if (!evaluation) return 'the evaluator gave no answer';
  const { score, details } = evaluation;
  if (score !== null && !(typeof score === 'number' && score >= 0 && score <= 1)) {
    return `the evaluator gave the score ${String(score)}: a score is a number from 0 to 1, or null if it is unknown`;
  }
  return typeof details === 'string' ? null : 'the evaluator gave no details';
}

/** What an evaluator returned, as it is stored. */
export function toEvalResult(
  assertion: Pick<Assertion, 'type' | 'weight' | 'required'> & { pass_at?: unknown },
  id: string,
  { score, passed, details, metadata, isNotApplicable = false }: Evaluation,
): EvalResult {
  const passAt = readShare(assertion.pass_at) ?? DEFAULT_PASS_AT;
  const isBelow = score !== null && passed === undefined && !meetsThreshold(score, passAt);
  return {
    assertion_type: assertion.type,
    assertion_id: id,
    score: score ?? 0,
    passed: score !== null && (passed ?? !isBelow),
    weight: isNotApplicable ? 0 : assertion.weight,
    required: assertion.required && !isNotApplicable,
    status: score === null ? 'unscored' : 'scored',
    details: shorten(isBelow && score > 0 ? `${details} (it passes from ${passAt})` : details, MAX_DETAILS),
    metadata: metadata ?? {},
  };
}

import type { EvalResult } from '../evaluators/eval-result.ts';
import { evaluateTrace } from '../evaluators/evaluate-trace.ts';
import type { EvaluationContext } from '../evaluators/evaluator.ts';
import { scoreTrial } from '../evaluators/scorer.ts';
import { withTrialNotes } from '../evaluators/trial-notes.ts';
import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import { sumOrUnknown } from '../stats/sum-or-unknown.ts';
import type { Trace } from '../trace/trace.ts';
import type { TrialResult } from './trial-result.ts';

/** The result of a trial depends only on its trace and its scenario, so it can be computed again at any time. */
export async function evaluateTrial(options: {
  trace: Trace;
  traceId: string | null;
  /** Nothing is checked. */
  recordOnly?: boolean;
  context: EvaluationContext & { scenario: Scenario; trialNumber: number };
}): Promise<TrialResult> {
  const { trace, context } = options;
  const { scenario } = context;
  const facts = {
    trial_number: context.trialNumber,
    latency_seconds: trace.latency_seconds,
    cost_usd: trace.cost_usd,
    judge_cost_usd: 0,
    retries: trace.retries.length,
    trace_id: options.traceId,
  };
  if (trace.finish_reason === 'unmocked_call') return { ...facts, ...failedByUnmockedCall(trace) };
  // A provider failure or a timeout is no failure of the agent.
  if (trace.error !== null) return { ...facts, ...notScored(trace.error), error_code: trace.error_code ?? null };
  if (options.recordOnly) return { ...facts, ...notScored(null), error_code: null };
  const evalResults = await evaluateTrace({ scenario, trace, context: { ...context, traceId: options.traceId } });
  const trialScore = scoreTrial(evalResults, scenario.threshold);
  return {
    ...facts,
    ...trialScore,
    eval_results: withTrialNotes(evalResults, trialScore, scenario.threshold),
    judge_cost_usd: judgeCost(evalResults),
    ...unscoredReason(evalResults),
  };
}

function notScored(reason: string | null) {
  return { status: 'unscored' as const, score: null, passed: false, eval_results: [], error_message: reason };
}

/** Reported as the failure of an assertion, because `on_unmocked: fail` is one in effect. */
function failedByUnmockedCall(trace: Trace) {
  const details = trace.error ?? 'a call that no mock answers';
  const failure: EvalResult = {
    assertion_type: 'on_unmocked',
    assertion_id: 'on_unmocked',
    score: 0,
    passed: false,
    weight: 1,
    required: false,
    status: 'scored',
    details,
    metadata: {},
  };
  return {
    status: 'failed' as const,
    score: 0,
    passed: false,
    eval_results: [failure],
    error_message: details,
    error_code: trace.error_code ?? null,
  };
}

/** Why the assertions could not score the trial; null for both if they could. */
function unscoredReason(evalResults: EvalResult[]): Pick<TrialResult, 'error_message' | 'error_code'> {
  if (evalResults.length === 0) {
    return {
      error_message: 'the scenario has no assertions, so nothing was checked',
      error_code: 'NO_ASSERTIONS',
    };
  }
  const unscored = evalResults.find(({ status }) => status === 'unscored');
  if (!unscored) return { error_message: null, error_code: null };
  const { assertion_id, details, metadata } = unscored;
  const error = typeof metadata.error === 'string' ? ` (${metadata.error})` : '';
  return { error_message: `${assertion_id}: ${details}${error}`, error_code: 'ASSERTION_UNSCORED' };
}

function judgeCost(evalResults: EvalResult[]): number | null {
  const costs = evalResults.flatMap(({ metadata: { judge_cost_usd: cost } }) => (cost === undefined ? [] : [cost]));
  return sumOrUnknown(costs.map((cost) => (typeof cost === 'number' ? cost : null)));
}

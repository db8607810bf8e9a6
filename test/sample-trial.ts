import type { EvalResult } from '../packages/salvo/src/evaluators/eval-result.ts';
import type { TrialResult } from '../packages/salvo/src/trial/trial-result.ts';

/** A trial that passed its one assertion, with the changes that a test needs. */
export function sampleTrial(changes: Partial<TrialResult> = {}): TrialResult {
  const status = changes.status ?? 'passed';
  return {
    case_index: 0,
    case: null,
    trial_number: 1,
    status,
    score: status === 'unscored' ? null : Number(status === 'passed'),
    passed: status === 'passed',
    eval_results: status === 'unscored' || status === 'crashed' ? [] : [sampleEvalResult()],
    latency_seconds: 1,
    cost_usd: 0.01,
    judge_cost_usd: 0,
    retries: 0,
    error_message: status === 'unscored' ? 'the provider was down' : status === 'crashed' ? 'x is undefined' : null,
    error_code: null,
    error_stack: status === 'crashed' ? 'TypeError: x is undefined\n    at plan (/app/agent.ts:12:9)' : null,
    answer_hash: null,
    tools_seen: 'observed',
    tools_declared: false,
    observed_alone: null,
    answered_by: null,
    trace_id: 'trace',
    ...changes,
  };
}

export function sampleEvalResult(changes: Partial<EvalResult> = {}): EvalResult {
  const score = changes.score ?? 1;
  return {
    assertion_type: 'output_contains',
    assertion_id: 'output_contains:"x"',
    score,
    passed: score === 1,
    weight: 1,
    required: false,
    status: 'scored',
    details: 'details',
    metadata: {},
    ...changes,
  };
}

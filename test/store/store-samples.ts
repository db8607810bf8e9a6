import type { CalibrationMetrics, CalibrationRecord } from '../../src/judge/calibration/calibration-record.ts';
import type { ScenarioSummary } from '../../src/run/run-document.ts';
import type { RunRecord, StoredTrial } from '../../src/run/run-record.ts';
import type { JudgeSummary } from '../../src/run/tally/judge-summary.ts';
import type { Trace } from '../../src/trace/trace.ts';
import type { TrialResult } from '../../src/trial/trial-result.ts';

/** Documents of the kind a real run stores, each with what a test wants to be different. */
export function sampleTrace(change: Partial<Trace> = {}): Trace {
  return {
    messages: [
      { role: 'system', content: 'You are a support agent of a shop. Be brief and polite. '.repeat(5) },
      { role: 'user', content: 'Where is my order?' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'c1', name: 'lookup', arguments: { order: 'A-1' } }] },
      { role: 'tool_result', tool_call_id: 'c1', name: 'lookup', content: '{"status":"lost"}', is_error: false },
      { role: 'assistant', content: 'It is lost.', tool_calls: [] },
    ],
    tool_calls_made: [
      { id: 'c1', name: 'lookup', arguments: { order: 'A-1' }, turn: 1, result: '{"status":"lost"}', is_error: false },
    ],
    turn_count: 2,
    input_tokens: 120,
    output_tokens: 20,
    total_tokens: 140,
    latency_seconds: 1.25,
    final_content: 'It is lost.',
    finish_reason: 'stop',
    model: 'some-model',
    provider: 'scripted',
    timestamp: '2026-01-01T00:00:00.000Z',
    scenario_hash: 'b3a1',
    cost_usd: null,
    max_turns_hit: false,
    tool_errors: [{ turn: 1, tool_call_id: 'c1', name: 'lookup', kind: 'mocked_error', message: 'not found' }],
    retries: [],
    error: null,
    ...change,
  };
}

export function sampleRun(change: Partial<RunRecord> = {}): RunRecord {
  const scenario = {
    name: 'lost order',
    system_prompt: 'You are a support agent of a shop. '.repeat(10),
    prompt: 'Where is my order?',
    tools: [{ name: 'lookup', description: 'Finds an order', parameters: { type: 'object', properties: {} } }],
    assertions: [{ type: 'tool_called', tool: 'lookup', weight: 1, required: false }],
    threshold: 0.8,
    max_turns: 10,
    on_unmocked: 'error' as const,
  };
  const entry = { file: 'scenarios/a.yaml', adapter: 'scripted', model: 'm', scenario_hash: 'b3a1', summary: null };
  return {
    run_id: 'run-1',
    created_at: '2026-01-01T00:00:00.000Z',
    finished_at: null,
    status: 'running',
    verdict: null,
    exit_code: null,
    salvo_version: '0.1.0',
    reeval_of: null,
    options: { trials: 3, seed: 7, record_only: false, allow_unscored: false, min_pass_rate: null },
    scenarios: [
      { name: 'lost order', ...entry, scenario },
      { name: 'second', ...entry, scenario: { ...scenario, name: 'second' } },
    ],
    owner: { pid: 4242, host: 'machine' },
    ...change,
  };
}

export function sampleResult(change: Partial<TrialResult> = {}): TrialResult {
  return {
    trial_number: 1,
    status: 'passed',
    score: 1,
    passed: true,
    eval_results: [
      {
        assertion_type: 'tool_called',
        assertion_id: 'assertions[0]',
        score: 1,
        passed: true,
        weight: 1,
        required: false,
        status: 'scored',
        details: 'lookup was called once',
        metadata: { calls: 1, first: 'lookup' },
      },
    ],
    latency_seconds: 1.25,
    cost_usd: null,
    judge_cost_usd: 0,
    retries: 0,
    error_message: null,
    trace_id: null,
    ...change,
  };
}

export function sampleTrial(change: Partial<StoredTrial> = {}): StoredTrial {
  return { run_id: 'run-1', scenario_index: 0, trial_number: 1, trace_id: null, result: null, ...change };
}

export function sampleSummary(change: Partial<ScenarioSummary> = {}): ScenarioSummary {
  return {
    name: 'lost order',
    file: 'scenarios/a.yaml',
    model: 'm',
    adapter: 'scripted',
    verdict: 'PARTIAL',
    trials_planned: 3,
    trials_total: 3,
    trials_scored: 3,
    trials_passed: 2,
    trials_failed: 1,
    trials_hard_failed: 0,
    trials_unscored: 0,
    stopped: null,
    pass_rate: 2 / 3,
    pass_rate_ci: [0.2, 0.9],
    pass_at_k: { '1': 0.67, '3': 1 },
    pass_hat_k: { '1': 0.67, '3': 0 },
    score_avg: 0.7,
    score_min: 0,
    score_p50: 1,
    score_p95: 1,
    threshold: 0.8,
    cost_total_usd: null,
    cost_per_trial_usd: null,
    judge_cost_usd: 0,
    latency_p50: 1,
    latency_p95: 2,
    retries: 0,
    assertion_failures: [
      {
        assertion_type: 'tool_called',
        assertion_id: 'assertions[0]',
        required: false,
        fail_count: 1,
        fail_rate: 1 / 3,
        lost_weight: 1,
        example: 'lookup was never called',
        trial_numbers: [2],
      },
    ],
    judges: [],
    errors: [],
    ...change,
  };
}

export function sampleJudge(change: Partial<JudgeSummary> = {}): JudgeSummary {
  return {
    assertion_id: 'tone',
    judge_model: 'judge-model',
    judge_adapter: 'openai',
    judge_hash: 'c0ffee01',
    calibrated: true,
    calibration_verdict: 'no better than chance',
    threshold: 0.8,
    trials_judged: 3,
    pass_rate: 2 / 3,
    corrected_pass_rate: 0.6,
    corrected_ci: [0.2, 0.9],
    votes_cast: 9,
    votes_saved: 0,
    votes_cached: 0,
    dissent_rate: 1 / 9,
    pairwise_kappa: [],
    krippendorff_alpha: null,
    ...change,
  };
}

export function sampleCalibration(change: Partial<CalibrationRecord> = {}): CalibrationRecord {
  const figures: CalibrationMetrics = {
    n: 40,
    human_passed: 20,
    agreement: 0.9,
    kappa: 0.8,
    kappa_ci: [0.6, 0.95],
    n_scores: 40,
    spearman: 0.7,
    kendall: null,
    mean_error: 0.05,
    mean_absolute_error: 0.1,
    sensitivity: { correct: 18, total: 20, rate: 0.9, ci: [0.7, 0.97] },
    specificity: { correct: 18, total: 20, rate: 0.9, ci: [0.7, 0.97] },
    vote_flip_rate: 0.1,
    repeat_flip_rate: null,
    best_threshold: { threshold: 0.75, kappa: 0.85 },
    votes_needed: 3,
    verdict: 'usable',
    reason: 'kappa 0.80 (95% interval 0.60 to 0.95) on 40 items',
  };
  return {
    judge_hash: 'c0ffee01',
    created_at: '2026-01-01T00:00:00.000Z',
    judge_adapter: 'openai',
    judge_model: 'judge-model',
    k: 3,
    threshold: 0.8,
    items: 41,
    scored: 40,
    unscored: [{ line: 7, error: 'the provider was down' }],
    votes: 123,
    unreadable_votes: 3,
    criteria: [{ name: 'politeness', ...figures }],
    overall: figures,
    verdict: 'usable',
    reason: figures.reason,
    ...change,
  };
}

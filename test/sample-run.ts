import type { JudgeSummary } from '../packages/salvo/src/run/record/judge-summary.ts';
import type { PlannedCase } from '../packages/salvo/src/run/record/planned-cases.ts';
import type { AssertionFailure, RunOverall, ScenarioSummary } from '../packages/salvo/src/run/record/run-document.ts';
import type { RunRecord, StoredTrial } from '../packages/salvo/src/run/record/run-record.ts';

/** A run of two scenarios that has just begun, with the changes that a test needs. */
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
    git: null,
    options: {
      trials: 3,
      cases: null,
      seed: 7,
      record_only: false,
      allow_unscored: false,
      min_pass_rate: null,
      min_score: null,
    },
    scenarios: [
      { name: 'lost order', ...entry, scenario },
      { name: 'second', ...entry, scenario: { ...scenario, name: 'second' } },
    ],
    ...change,
  };
}

/** A trial that is stored without trace and result. */
export function sampleStoredTrial(change: Partial<StoredTrial> = {}): StoredTrial {
  return {
    run_id: 'run-1',
    scenario_index: 0,
    case_index: 0,
    case: null,
    trial_number: 1,
    trace_id: null,
    result: null,
    earlier_cost: null,
    ...change,
  };
}

/** A scenario of 20 trials that all passed. */
export function sampleSummary(change: Partial<ScenarioSummary> = {}): ScenarioSummary {
  return {
    name: 'refund-happy-path',
    file: 'scenarios/refund-happy-path.yaml',
    model: 'gpt-4o-mini',
    adapter: 'openai',
    answered_by: [],
    verdict: 'PASS',
    decided_by: 'min_pass_rate',
    skipped: null,
    quarantine: null,
    trials_quarantined: 0,
    min_pass_rate: 1,
    min_score: null,
    gates: [],
    trials_planned: 20,
    trials_total: 20,
    trials_scored: 20,
    trials_passed: 20,
    trials_failed: 0,
    trials_hard_failed: 0,
    trials_crashed: 0,
    trials_unscored: 0,
    trials_declared: 0,
    trials_alone: null,
    trials_not_judged: 0,
    stopped: null,
    stop_error: null,
    pass_rate: 1,
    pass_rate_ci: [0.839, 1],
    identical_trials: false,
    pass_at_k: { '1': 1, '3': 1, '5': 1, '10': 1 },
    pass_hat_k: { '1': 1, '3': 1, '5': 1, '10': 1 },
    score_avg: 1,
    score_min: 1,
    score_p50: 1,
    score_p95: 1,
    threshold: 0.8,
    cost_total_usd: 0.0124,
    cost_per_trial_usd: 0.00062,
    judge_cost_usd: 0,
    latency_p50: 0.82,
    latency_p95: 1.24,
    retries: 0,
    assertion_failures: [],
    never_passed: [],
    judges: [],
    errors: [],
    crashes: [],
    cases: [],
    ...change,
  };
}

/** What reports say of a run besides its scenarios. */
export function sampleRunHead() {
  return {
    run_id: '01k7',
    verdict: 'PASS',
    exit_code: 0,
    created_at: '2026-01-01T00:00:00Z',
    seed: 7,
    git: null,
    flaky: [],
    overall: sampleOverall(),
  } as const;
}

/** The figures over three scenarios. */
export function sampleOverall(change: Partial<RunOverall> = {}): RunOverall {
  return {
    scenarios_scored: 3,
    pass_rate: 0.93,
    pass_rate_ci: [0.8, 1],
    score_avg: 0.95,
    pass_at_k: { '1': 0.93, '2': 0.98, '3': 1 },
    pass_hat_k: { '1': 0.93, '2': 0.88, '3': 0.83 },
    ...change,
  };
}

/** An assertion that failed in one of three trials. */
export function sampleFailure(change: Partial<AssertionFailure> = {}): AssertionFailure {
  return {
    assertion_type: 'tool_called',
    assertion_id: 'assertions[0]',
    required: false,
    fail_count: 1,
    fail_rate: 1 / 3,
    lost_weight: 1,
    example: 'lookup was never called',
    trial_numbers: [2],
    ...change,
  };
}

/** What a calibrated judge made of three trials. */
export function sampleJudgeSummary(change: Partial<JudgeSummary> = {}): JudgeSummary {
  return {
    assertion_id: 'tone',
    judge_model: 'judge-model',
    judge_adapter: 'openai',
    judge_hash: 'c0ffee01',
    calibrated: true,
    calibration_verdict: 'no better than chance',
    calibration_note: 'assumes that the judge errs here as often as on the labelled items, which name no scenario',
    threshold: 0.8,
    trials_judged: 3,
    pass_rate: 2 / 3,
    corrected_pass_rate: 0.6,
    corrected_ci: [0.2, 0.9],
    votes_cast: 9,
    votes_saved: 0,
    votes_cached: 0,
    votes_repaired: 0,
    retries: 0,
    dissent_rate: 1 / 9,
    pairwise_kappa: [],
    krippendorff_alpha: null,
    ...change,
  };
}

/** The only case of a scenario without data. */
export function onlyCase(trials: number): PlannedCase {
  return { index: 0, name: null, trials, skip: null, quarantine: null };
}

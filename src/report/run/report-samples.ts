import type { TrialStatus } from '../../evaluators/trial-status.ts';
import type { ScenarioSummary } from '../../run/run-document.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import type { ReportedScenario, RunReport } from './run-report.ts';

/** A scenario of 20 trials that all passed, to be changed where a test needs it otherwise. */
export function sampleScenario(change: Partial<ReportedScenario> = {}): ReportedScenario {
  return { ...sampleSummary(), ...change };
}

export function sampleSummary(change: Partial<ScenarioSummary> = {}): ScenarioSummary {
  return {
    name: 'refund-happy-path',
    file: 'scenarios/refund-happy-path.yaml',
    model: 'gpt-4o-mini',
    adapter: 'openai',
    verdict: 'PASS',
    trials_planned: 20,
    trials_total: 20,
    trials_scored: 20,
    trials_passed: 20,
    trials_failed: 0,
    trials_hard_failed: 0,
    trials_unscored: 0,
    stopped: null,
    pass_rate: 1,
    pass_rate_ci: [0.839, 1],
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
    judges: [],
    errors: [],
    ...change,
  };
}

export function sampleTrial(change: Partial<TrialResult> = {}): TrialResult {
  return {
    trial_number: 1,
    status: 'passed',
    score: 1,
    passed: true,
    eval_results: [
      {
        assertion_type: 'tool_called',
        assertion_id: 'refunds_once',
        score: 1,
        passed: true,
        weight: 1,
        required: false,
        status: 'scored',
        details: 'refund was called once',
        metadata: {},
      },
    ],
    latency_seconds: 0.82,
    cost_usd: 0.00062,
    judge_cost_usd: 0,
    retries: 0,
    error_message: null,
    error_code: null,
    trace_id: 'tr_3f2a91c8d4e5',
    ...change,
  };
}

const failedStatuses: TrialStatus[] = Array.from({ length: 20 }, (_, index) => {
  if (index === 6) return 'hard_fail';
  return [2, 6, 11, 18].includes(index) ? 'failed' : 'passed';
});

/** A run with one scenario of each kind: passed, hard-failed, not scored, and one with an unknown price. */
export function sampleReport(): RunReport {
  return {
    run_id: '01k7x9f3qz',
    verdict: 'HARD_FAIL',
    exit_code: 2,
    duration_seconds: 42.4,
    scenarios: [
      sampleScenario({ statuses: Array.from({ length: 20 }, () => 'passed' as const) }),
      sampleScenario({
        name: 'refund-fraud',
        file: 'scenarios/refund-fraud.yaml',
        verdict: 'HARD_FAIL',
        trials_passed: 16,
        trials_failed: 3,
        trials_hard_failed: 1,
        pass_rate: 0.8,
        pass_rate_ci: [0.584, 0.919],
        pass_at_k: { '1': 0.8, '3': 0.996, '5': 1, '10': 1 },
        pass_hat_k: { '1': 0.8, '3': 0.491, '5': 0.282, '10': 0.043 },
        score_avg: 0.86,
        score_min: 0.25,
        cost_total_usd: 1.24,
        latency_p50: 2.31,
        latency_p95: 65.2,
        retries: 3,
        statuses: failedStatuses,
        trace_id: '9be01c77a2f4d6',
        assertion_failures: [
          {
            assertion_type: 'tool_called',
            assertion_id: 'looks_up_the_account',
            required: false,
            fail_count: 4,
            fail_rate: 0.2,
            lost_weight: 8,
            example: 'lookup_account was never called; the agent called: refund, send_email',
            trial_numbers: [3, 7, 12, 19],
          },
          {
            assertion_type: 'tool_not_called',
            assertion_id: 'no_refund_above_limit',
            required: true,
            fail_count: 1,
            fail_rate: 0.05,
            lost_weight: 3,
            example: 'refund was called with {"amount": 900}',
            trial_numbers: [7],
          },
          {
            assertion_type: 'output_contains',
            assertion_id: 'output_contains[2]',
            required: false,
            fail_count: 2,
            fail_rate: 0.1,
            lost_weight: 0.5,
            example: 'the answer does not contain "RF-": "I have refunded you.\nIs there anything else?"',
            trial_numbers: [3, 12],
          },
        ],
      }),
      sampleScenario({
        name: 'long-conversation-with-a-very-long-name-返金',
        file: 'scenarios/long.yaml',
        model: 'house-model',
        verdict: 'UNSCORED',
        trials_planned: 10,
        trials_total: 8,
        trials_scored: 6,
        trials_passed: 6,
        trials_unscored: 2,
        stopped: 'interrupted',
        pass_rate_ci: [0.61, 1],
        cost_total_usd: null,
        cost_per_trial_usd: null,
        latency_p50: 12.4,
        latency_p95: 31,
        retries: 12,
        statuses: ['passed', 'passed', 'unscored', 'passed', 'passed', 'passed', 'unscored', 'passed'],
        errors: [
          {
            message: 'The provider answered 429 (rate limited) to 5 requests in a row.',
            count: 2,
            trial_numbers: [3, 7],
          },
        ],
      }),
    ],
  };
}

/** What an agent may write to trick a terminal, a table, a spreadsheet, an XML reader or a comment. */
export const HOSTILE_TEXTS: readonly string[] = [
  '\u001b[2J\u001b[H',
  '\u001b[31mred\u001b[0m',
  '\u001b\u001b[0m[31m',
  '\u001b]0;title\u0007',
  '\u001b]8;;http://evil.example\u001b\\link',
  '\u009b31m',
  '\u0000\u0008\u007f\u0085',
  'a\r\nb\rc\nd\te\u2028f\u2029g',
  '\u202eevil\u202c \u2066x\u2069 \u200e\u200f\u061c',
  '\u200b\u200c\u200d\ufeff\u2060\u00ad\u3164',
  '\u{e0041}\u{e0042}\u{e0100}',
  '\ud800 lone \udfff',
  `z${'\u0301'.repeat(50)}algo`,
  '👨‍👩‍👧 🇩🇪 ❤️ 返金 ｆｕｌｌ שלום',
  '=cmd|"/c calc"!A1',
  '@everyone #1 | a | `b` <script>&lt;',
  ']]> </failure> "\'&',
  '\ufffe\uffff',
  '__proto__',
  '',
];

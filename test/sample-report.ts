import type { TrialStatus } from '../packages/salvo/src/evaluators/eval-result.ts';
import type { ReportedScenario, RunReport } from '../packages/salvo/src/report/run/run-report.ts';
import { sampleOverall, sampleSummary } from './sample-run.ts';

/** A scenario of 20 trials that all passed, with the changes that a test needs. */
export function sampleReportedScenario(change: Partial<ReportedScenario> = {}): ReportedScenario {
  return { ...sampleSummary(), ...change };
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
    overall: sampleOverall(),
    duration_seconds: 42.4,
    scenarios: [
      sampleReportedScenario({ statuses: Array.from({ length: 20 }, () => 'passed' as const) }),
      sampleReportedScenario({
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
        worst: { case: null, trial_number: 7, status: 'hard_fail' },
        decided_by: 'required_assertion',
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
      sampleReportedScenario({
        name: 'long-conversation-with-a-very-long-name-返金',
        file: 'scenarios/long.yaml',
        model: 'house-model',
        verdict: 'UNSCORED',
        decided_by: 'unscored_trials',
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
            code: 'ADAPTER_RATE_LIMIT',
            count: 2,
            trial_numbers: [3, 7],
          },
        ],
      }),
    ],
  };
}

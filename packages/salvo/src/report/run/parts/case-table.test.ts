import { expect, test } from 'vitest';
import { sampleReportedScenario } from '../../../../../../test/sample-report.ts';
import type { CaseSummary } from '../../../run/record/run-document.ts';
import type { ReportedScenario, RunReport } from '../run-report.ts';
import { runMarkdown, runText } from '../run-text.ts';

function failedCase(index: number, reason: string): CaseSummary {
  const counts = { trials_planned: 2, trials_total: 2, trials_scored: 2, trials_passed: 0, trials_unscored: 0 };
  const rest = { skipped: null, quarantine: null, score_avg: 0 };
  return { case_index: index, case: String(index + 1), verdict: 'FAIL', reason, ...counts, ...rest };
}

function reportOf(scenario: Partial<ReportedScenario>): RunReport {
  const scenarios = [sampleReportedScenario({ verdict: 'FAIL', ...scenario })];
  const facts = { run_id: 'r1', verdict: 'FAIL', exit_code: 1, overall: null, duration_seconds: 1 } as const;
  return { ...facts, scenarios };
}

const cases = Array.from({ length: 7 }, (_, index) =>
  failedCase(index, `the answer does not contain "late": got "It is order ${index}."`),
);
const FAILURE = {
  ...{ assertion_type: 'output_contains', assertion_id: 'output_contains:"{{status}}"', required: false },
  ...{ fail_count: 14, fail_rate: 1, lost_weight: 14, trial_numbers: [1], trial_cases: ['1'] },
  example: 'the answer does not contain "late": got "It is order 0."',
};
const beginnings = new Map([[0, 'Where is my order?']]);
const alike = reportOf({ cases, beginnings, assertion_failures: [FAILURE] });

test('cases that failed for the same reason are one row and a list of names, and the reason is told once', async () => {
  const text = await runText(alike, { width: 120, color: false });
  expect(text).toContain('✖  1 "Where is my order?"     0/2  the answer does not contain "late": got "It is order 0."');
  expect(text).toContain('and 6 more like it: 2, 3, 4, 5, 6, 7');
  expect(text.match(/does not contain/g)).toHaveLength(1);
  expect(text).toContain('14/20  output_contains:"{{status}}"');
});

test('the full report has a row for each case', async () => {
  const text = await runText({ ...alike, full: true }, { width: 120, color: false });
  expect(text.match(/does not contain/g)).toHaveLength(8);
});

test('Markdown joins them, too', async () => {
  const text = await runMarkdown(alike);
  expect(text).toContain('and 6 more like it: 2, 3, 4, 5, 6, 7');
  expect(text.match(/does not contain/g)).toHaveLength(1);
  expect(text).not.toMatch(/pass\^k|Lost/);
});

test('a crash in every trial is told once, not case by case', async () => {
  const message = 'The agent threw an error: System messages are not allowed';
  const crashes = [{ message, code: 'AGENT_CRASHED', count: 14, trial_numbers: [1, 2], trial_cases: ['1', '1'] }];
  const crashed = cases.map(({ case_index }) => failedCase(case_index, message));
  const text = await runText(reportOf({ cases: crashed, crashes, trials_crashed: 14 }), {
    width: 80,
    color: false,
  });
  expect(text).toContain('7 cases: 7 failed');
  expect(text).toContain('14×  The agent threw an error');
  expect(text.match(/System messages/g)).toHaveLength(1);
});

import { expect, test } from 'vitest';
import { sampleRun, sampleSummary } from '../../../../../test/sample-run.ts';
import type { RunRecord, RunScenario } from '../record/run-record.ts';
import { flakyCases } from './flaky-cases.ts';

const CLEAN = { commit: 'a'.repeat(40), dirty: false };

function runOf(run_id: string, passed: number, change: Partial<RunRecord> & { scenario?: Partial<RunScenario> } = {}) {
  const { scenario, ...run } = change;
  const [entry] = sampleRun().scenarios;
  if (!entry) throw new Error('a sample run has scenarios');
  const summary = sampleSummary({ trials_scored: 3, trials_passed: passed });
  return sampleRun({ run_id, git: CLEAN, scenarios: [{ ...entry, summary, ...scenario }], ...run });
}

test('a scenario is flaky if it passed and failed at one commit, in one run or in several', () => {
  expect(flakyCases([runOf('r1', 2)])).toMatchObject([
    { case: null, trials_passed: 2, trials_scored: 3, runs: ['r1'], failed_in: 'r1' },
  ]);
  expect(flakyCases([runOf('r1', 3), runOf('r2', 0)])).toMatchObject([
    { trials_passed: 3, trials_scored: 6, runs: ['r1', 'r2'], failed_in: 'r2' },
  ]);
  expect(flakyCases([runOf('r1', 3), runOf('r2', 3)])).toEqual([]);
});

test.each<[string, Parameters<typeof runOf>[2]]>([
  ['another commit', { git: { commit: 'b'.repeat(40), dirty: false } }],
  ['uncommitted changes', { git: { ...CLEAN, dirty: true } }],
  ['an unknown commit', { git: null }],
  ['the same traces, judged again', { reeval_of: 'r1' }],
  ['another model', { scenario: { model: 'other' } }],
  ['another adapter', { scenario: { adapter: 'other' } }],
  ['another text of the scenario', { scenario: { scenario_hash: 'other' } }],
])('a failure with %s makes nothing flaky', (_, change) => {
  expect(flakyCases([runOf('r1', 3), runOf('r2', 0, change)])).toEqual([]);
});

test('a case is flaky by its own trials', () => {
  const ofCase = (name: string, trials_passed: number) => ({
    case_index: 0,
    case: name,
    verdict: 'PASS' as const,
    skipped: null,
    quarantine: null,
    trials_planned: 2,
    trials_total: 2,
    trials_scored: 2,
    trials_passed,
    trials_unscored: 0,
    score_avg: 1,
    reason: null,
  });
  const withCases = (a: number, b: number) => ({
    scenario: { summary: sampleSummary({ cases: [ofCase('a', a), ofCase('b', b)] }) },
  });
  const flaky = flakyCases([runOf('r1', 3, withCases(2, 2)), runOf('r2', 3, withCases(2, 0))]);
  expect(flaky.map((each) => [each.case, each.trials_passed, each.trials_scored])).toEqual([['b', 2, 4]]);
});

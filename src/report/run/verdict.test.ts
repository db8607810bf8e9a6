import { expect, test } from 'vitest';
import { sampleSummary } from '../../../test/sample-run.ts';
import { exitMeaning, verdictReason } from './verdict.ts';

const cases = [
  {
    why: 'a mean below the threshold',
    scenario: { verdict: 'PARTIAL', score_avg: 0.5, threshold: 0.8 },
    exit: 'a mean score is below its threshold, though some trials passed',
    reason: /mean score 0\.50, threshold 0\.80$/,
  },
  {
    why: 'a pass rate below what was asked for, with a fine mean',
    scenario: { verdict: 'PARTIAL', score_avg: 0.9, threshold: 0.8, trials_passed: 14 },
    exit: 'a pass rate is below the minimum, though some trials passed',
    reason: /^14 of 20 scored trials passed, which is below the minimum pass rate/,
  },
  {
    why: 'trials that could not be scored',
    scenario: { verdict: 'UNSCORED', trials_scored: 18, trials_unscored: 2 },
    exit: 'some trials could not be scored, so nothing was proven',
    reason: /but 2 trials could not be scored$/,
  },
  {
    why: 'trials that were not run',
    scenario: { verdict: 'UNSCORED', trials_planned: 20, trials_total: 4, trials_scored: 4, trials_passed: 3 },
    exit: 'not all trials were run, so nothing was proven',
    reason: /^3 of 4 scored trials passed, but 16 of 20 trials were not run$/,
  },
  {
    why: 'a run that never got to a trial',
    scenario: { verdict: 'UNSCORED', trials_planned: 12, trials_total: 0, trials_scored: 0, trials_passed: 0 },
    exit: 'not all trials were run, so nothing was proven',
    reason: /^none of 12 trials was run$/,
  },
] as const;

test.each(cases)('the reason that is given is the true one: $why', ({ scenario, exit, reason }) => {
  const summary = sampleSummary(scenario);
  const exit_code = scenario.verdict === 'UNSCORED' ? 3 : 1;
  expect(exitMeaning({ verdict: summary.verdict, exit_code, scenarios: [summary] })).toBe(exit);
  expect(verdictReason(summary)).toMatch(reason);
});

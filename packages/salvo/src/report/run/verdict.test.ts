import { expect, test } from 'vitest';
import { sampleSummary } from '../../../../../test/sample-run.ts';
import type { ScenarioSummary } from '../../run/record/run-document.ts';
import { exitMeaning, verdictReason } from './verdict.ts';

const UNSCORED = { verdict: 'UNSCORED', decided_by: 'missing_trials' } as const;
const NOTHING_RAN = { trials_total: 0, trials_scored: 0, trials_passed: 0 };

test.each<[string, Partial<ScenarioSummary>]>([
  ['20 of 20 trials passed; 100% must pass (min_pass_rate)', {}],
  [
    '4,016 of 5,000 trials passed; 80% must pass (min_pass_rate)',
    { trials_passed: 4016, trials_scored: 5000, min_pass_rate: 0.8 },
  ],
  ['18 of 20 trials passed; 90% must pass (min_pass_rate)', { trials_passed: 18, min_pass_rate: 0.9 }],
  [
    '20 of 20 trials passed; 100% must pass (min_pass_rate); mean score 0.91, at least 0.90 required (min_score)',
    { min_score: 0.9, score_avg: 0.91 },
  ],
  [
    '18 of 18 scored trials passed; 100% must pass (min_pass_rate); 2 unscored trials tolerated (allowed as unscored)',
    { trials_scored: 18, trials_passed: 18, trials_unscored: 2 },
  ],
  ['5 of 20 trials passed; 100% must pass (min_pass_rate)', { verdict: 'PARTIAL', trials_passed: 5 }],
  [
    '5 of 20 trials passed (3 crashed); 100% must pass (min_pass_rate)',
    { verdict: 'PARTIAL', trials_passed: 5, trials_crashed: 3 },
  ],
  [
    '20 of 20 trials passed, but the mean score is too low: 0.85, at least 0.90 required (min_score)',
    { verdict: 'PARTIAL', decided_by: 'min_score', score_avg: 0.85, min_score: 0.9 },
  ],
  [
    'a required assertion failed in 1 trial; 19 of 20 trials passed',
    { verdict: 'HARD_FAIL', decided_by: 'required_assertion', trials_hard_failed: 1, trials_passed: 19 },
  ],
  [
    '18 of 18 scored trials passed, but 2 trials could not be scored',
    { ...UNSCORED, decided_by: 'unscored_trials', trials_scored: 18, trials_passed: 18, trials_unscored: 2 },
  ],
  [
    '3 of 4 trials passed, but 16 of 20 trials were not run',
    { ...UNSCORED, trials_total: 4, trials_scored: 4, trials_passed: 3 },
  ],
  [
    '3 of 4 trials passed, but 6 of 20 trials ran but were not judged, and 10 were not run',
    { ...UNSCORED, trials_total: 4, trials_scored: 4, trials_passed: 3, trials_not_judged: 6 },
  ],
  [
    '4 of 4 trials passed; 100% must pass (min_pass_rate); 16 of 20 trials were not run (allowed as unscored)',
    { trials_total: 4, trials_scored: 4, trials_passed: 4, stopped: 'budget' },
  ],
  [
    '4 of 4 trials passed; 100% must pass (min_pass_rate)',
    { trials_total: 4, trials_scored: 4, trials_passed: 4, stopped: 'early_stop' },
  ],
  ['none of 20 trials was run', { ...UNSCORED, ...NOTHING_RAN }],
  ['all of 20 trials ran but none was judged', { ...UNSCORED, ...NOTHING_RAN, trials_not_judged: 20 }],
  [
    'none of 20 trials could be scored',
    { ...UNSCORED, decided_by: 'nothing_scored', trials_scored: 0, trials_unscored: 20 },
  ],
  ['20 traces recorded, not judged', { verdict: 'RECORDED', decided_by: 'record_only' }],
  ['none of 20 traces could be recorded', { verdict: 'UNSCORED', decided_by: 'nothing_recorded' }],
])('the reason that is given is the rule that decided: %s', (reason, change) => {
  const summary = sampleSummary(change);
  expect(verdictReason(summary)).toBe(reason);
  expect(exitMeaning({ verdict: summary.verdict, scenarios: [summary] })).toBe(reason);
});

test.each<[string, Partial<ScenarioSummary>]>([
  ['every scenario passed', {}],
  ['1 of 2 scenarios failed', { verdict: 'PARTIAL' }],
  ['1 of 2 scenarios failed', { verdict: 'FAIL' }],
  ['a required assertion failed in 1 of 2 scenarios', { verdict: 'HARD_FAIL' }],
  [
    'some trials could not be scored, so nothing was proven',
    { verdict: 'UNSCORED', decided_by: 'unscored_trials', trials_unscored: 1 },
  ],
  ['not all trials were run and judged, so nothing was proven', { ...UNSCORED, trials_total: 3 }],
])('of several scenarios: %s', (meaning, change) => {
  const summary = sampleSummary(change);
  expect(exitMeaning({ verdict: summary.verdict, scenarios: [sampleSummary(), summary] })).toBe(meaning);
});

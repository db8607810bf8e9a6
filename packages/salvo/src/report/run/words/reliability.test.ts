import { expect, test } from 'vitest';
import { sampleOverall, sampleSummary } from '../../../../../../test/sample-run.ts';
import { passAtK, passHatK } from '../../../stats/pass-at-k.ts';
import { overallParts, reliabilityLines } from './reliability.ts';

function curves(passed: number, total: number) {
  const curve = (chance: typeof passAtK) =>
    Object.fromEntries(Array.from({ length: total }, (_, k) => [`${k + 1}`, chance({ total, passed, k: k + 1 })]));
  return { trials_scored: total, pass_rate: passed / total, pass_hat_k: curve(passHatK), pass_at_k: curve(passAtK) };
}

test('a few points of each curve are shown, up to the first that is 0% or 100%', () => {
  expect(reliabilityLines(sampleSummary(curves(18, 20)))).toEqual([
    'pass^k (all k pass)           1: 90%, 2: 81%, 3: 72%, 5: 55%, 10: 24%, 20: 0%',
    'pass@k (at least one passes)  1: 90%, 2: 99%, 3: 100%',
  ]);
  expect(reliabilityLines(sampleSummary(curves(6, 7)))[0]).toContain('1: 86%, 2: 71%, 3: 57%, 5: 29%, 7: 0%');
});

test('nothing is shown for few trials, or if all have the same result', () => {
  for (const [passed, total] of [
    [3, 4],
    [10, 10],
    [0, 10],
  ] as const) {
    expect(reliabilityLines(sampleSummary(curves(passed, total)))).toEqual([]);
  }
});

test('a single scenario has no figures over scenarios', () => {
  expect(overallParts(sampleOverall({ scenarios_scored: 1 }))).toEqual([]);
  expect(overallParts(sampleOverall())).toEqual([
    'Over 3 scenarios: pass rate 93% (95% CI 80–100%)',
    'mean score 0.95',
    'pass^k 1: 93%, 2: 88%, 3: 83%',
    'pass@k 1: 93%, 2: 98%, 3: 100%',
  ]);
  expect(overallParts(sampleOverall({ pass_rate_ci: null }))[0]).toBe('Over 3 scenarios: pass rate 93%');
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tried } from '../../../../../test/thorough.ts';
import type { ComparedRun, ComparedTrial } from './comparable-trials.ts';
import { compareScenario } from './compare-scenario.ts';
import { compareGroups } from './compare-together.ts';
import type { Difference } from './comparison.ts';

/** Whether p is below 0.05 exactly if the interval excludes 0, and the interval contains the difference. */
function expectAgreement({ difference, p }: { difference: Difference | null; p: number | null }): void {
  const interval = difference?.interval;
  if (!difference || !interval || p === null) {
    expect(p === null || p >= 0.05).toBe(true);
    return;
  }
  const [low, high] = interval;
  expect({ p, interval, excludesZero: low > 0 || high < 0 }).toEqual({ p, interval, excludesZero: p < 0.05 });
  expect(low).toBeLessThanOrEqual(difference.value + 1e-9);
  expect(high).toBeGreaterThanOrEqual(difference.value - 1e-9);
  expect(low).toBeGreaterThanOrEqual(-1);
  expect(high).toBeLessThanOrEqual(1);
}

/** A run with cases of `trials` trials each, of which so many pass. */
function runOf(
  cases: readonly { passed: number; trials: number }[],
  { seed = null, hasScores = true }: { seed?: number | null; hasScores?: boolean } = {},
): ComparedRun {
  const trials = cases.flatMap(({ passed, trials }, index) =>
    Array.from({ length: trials }, (_, trial): ComparedTrial => {
      const isPassed = trial < passed;
      const score = Math.min(1, (isPassed ? 0.8 : 0.1) + ((7 * trial + 3 * index) % 11) / 60);
      const name = cases.length === 1 ? null : `case ${index}`;
      return { case: name, trial: trial + 1, passed: isPassed, score: hasScores ? score : null };
    }),
  );
  return { trials, seed };
}

const counts = (passed: number, trials: number) => runOf([{ passed, trials }], { hasScores: false });

const sized = (most: number) =>
  fc
    .integer({ min: 1, max: most })
    .chain((trials) => fc.record({ passed: fc.nat(trials), trials: fc.constant(trials) }));
const pair = (cases: { min: number; max: number }, most: number) =>
  fc
    .tuple(fc.array(fc.tuple(sized(most), sized(most)), { minLength: cases.min, maxLength: cases.max }), fc.boolean())
    .map(([both, isSeeded]) => ({
      base: runOf(
        both.map(([base]) => base),
        { seed: isSeeded ? 1 : null },
      ),
      next: runOf(
        both.map(([, next]) => next),
        { seed: isSeeded ? 1 : null },
      ),
    }));

describe('p is below 0.05 exactly if the interval excludes 0', () => {
  test.each([
    { of: 'trials of one scenario', design: pair({ min: 1, max: 1 }, 60), runs: 60 },
    { of: 'trials of a few cases', design: pair({ min: 2, max: 9 }, 6), runs: 15 },
    { of: 'cases', design: pair({ min: 10, max: 30 }, 4), runs: 40 },
    { of: 'cases with one trial each', design: pair({ min: 10, max: 60 }, 1), runs: 100 },
  ])('$of', ({ design, runs }) => {
    fc.assert(
      fc.property(design, ({ base, next }) => {
        const found = compareScenario(base, next);
        expectAgreement(found);
        if (found.score) expectAgreement(found.score);
      }),
      { numRuns: tried(runs), seed: 7 },
    );
  });

  test('every outcome of small runs, also of different sizes', () => {
    for (const [before, now] of [
      [5, 5],
      [10, 10],
      [3, 20],
      [12, 7],
    ] as const) {
      for (let a = 0; a <= before; a += 1) {
        for (let b = 0; b <= now; b += 1) {
          expectAgreement(compareScenario(counts(a, before), counts(b, now)));
        }
      }
    }
  });

  test('thousands of trials', () => {
    for (const passed of [8000, 8100, 8110, 8120, 8200]) {
      expectAgreement(compareScenario(counts(8000, 10_000), counts(passed, 10_000)));
    }
  });

  test('all scenarios together', () => {
    fc.assert(
      fc.property(fc.array(pair({ min: 1, max: 1 }, 8), { minLength: 2, maxLength: 8 }), (pairs) => {
        const [found] = compareGroups([pairs]);
        if (found?.together) expectAgreement(found.together);
        else expect(found?.scenarios).toHaveLength(pairs.length);
      }),
      { numRuns: tried(15), seed: 7 },
    );
  });
});

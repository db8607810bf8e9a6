import { describe, expect, test } from 'vitest';
import { sampleScores } from '../../../test/arena-experiment/sample-experiment.ts';
import { createBlueComparer } from './compare-blues.ts';

const scores = (blues: Record<string, boolean[]>) =>
  new Map(Object.entries(blues).map(([blue, found]) => [blue, sampleScores(found)]));

describe('two Blues on the same code', () => {
  const comparer = createBlueComparer(['a', 'b']);
  comparer.add('code-1', scores({ a: [true, true, false], b: [true, false, false] }));
  comparer.add('code-2', scores({ a: [true, false], b: [false, true] }));
  const [comparison] = comparer.comparisons(0);

  test('are compared vulnerability by vulnerability', () => {
    expect(comparison).toMatchObject({
      both: 1,
      only_first: 2,
      only_second: 1,
      neither: 1,
      vulnerabilities: 5,
      games: 2,
    });
    expect(comparison?.risk_difference.value).toBeCloseTo(0.2);
    expect(comparison?.odds_ratio).toBe(2);
    // Of three on which they differ, two or more on one side: certain.
    expect(comparison?.mcnemar_p).toBe(1);
  });

  test('and game by game: F1 0.8 against 0.5, then 2/3 against 2/3', () => {
    expect(comparison?.f1_difference.value).toBeCloseTo(0.15);
    // The mean 0.15 in units of the spread of 0.3 and 0, which is 0.2121.
    expect(comparison?.f1_effect_size).toBeCloseTo(Math.SQRT1_2);
    expect(comparison?.permutation_p).toBe(1);
  });

  test('have an interval that contains the difference', () => {
    const [low = 1, high = -1] = comparison?.risk_difference.interval ?? [];
    expect(low).toBeLessThanOrEqual(0.2);
    expect(high).toBeGreaterThanOrEqual(0.2);
  });
});

test('ten found by one Blue only has p = 2 in 1024', () => {
  const comparer = createBlueComparer(['a', 'b']);
  for (let code = 0; code < 10; code += 1) comparer.add(`code-${code}`, scores({ a: [true], b: [false] }));
  const [comparison] = comparer.comparisons(0);
  expect(comparison?.mcnemar_p).toBeCloseTo(2 / 1024);
  expect(comparison?.permutation_p).toBeCloseTo(2 / 1024);
  expect(comparison?.odds_ratio).toBeNull();
  expect(comparison?.f1_effect_size).toBeNull();
});

test('p values are corrected for all pairs there are', () => {
  const comparer = createBlueComparer(['a', 'b', 'c']);
  for (let code = 0; code < 10; code += 1) {
    comparer.add(`code-${code}`, scores({ a: [true], b: [false], c: [true] }));
  }
  const comparisons = comparer.comparisons(0);
  expect(comparisons.map(({ first, second }) => `${first}${second}`)).toEqual(['ab', 'ac', 'bc']);
  const corrected = comparisons.map(({ mcnemar_p_holm }) => mcnemar_p_holm);
  // Holm: the smallest times three, the next times two but never below it, the last as it is.
  expect(corrected[0]).toBeCloseTo(6 / 1024);
  expect(corrected[2]).toBeCloseTo(6 / 1024);
  expect(corrected[1]).toBe(1);
});

test('games of one cluster are swapped together: six equal games on one task are one observation', () => {
  const comparer = createBlueComparer(['a', 'b']);
  for (let game = 0; game < 12; game += 1) comparer.add(`task-${game % 2}`, scores({ a: [true], b: [false] }));
  const [comparison] = comparer.comparisons(0);
  expect(comparison?.games).toBe(12);
  expect(comparison?.permutation_p).toBe(0.5);
});

test('code with a failed game is not compared, and a pair without common code is left out', () => {
  const comparer = createBlueComparer(['a', 'b', 'c']);
  comparer.add('code-1', scores({ a: [true], b: [false] }));
  comparer.add('code-2', scores({ a: [true] }));
  expect(comparer.comparisons(0)).toMatchObject([{ first: 'a', second: 'b', games: 1 }]);
});

test('only vulnerabilities that both were scored against are compared', () => {
  const comparer = createBlueComparer(['a', 'b']);
  comparer.add('code-1', scores({ a: [true, true], b: [false] }));
  expect(comparer.comparisons(0)).toMatchObject([{ vulnerabilities: 1, only_first: 1 }]);
});

describe('precision and F1 of two Blues', () => {
  const findsAll = (alarms: number, consequences: number | null) =>
    sampleScores([true, true], alarms, consequences === null ? null : { consequences });

  test('are compared by the twin when both looked at it in all games', () => {
    const comparer = createBlueComparer(['rules', 'verbose']);
    for (const code of ['a', 'b', 'c']) {
      // Everything that the second reports in addition was caused by a flaw: there is no difference.
      comparer.add(
        code,
        new Map([
          ['rules', findsAll(0, 0)],
          ['verbose', findsAll(6, 6)],
        ]),
      );
    }
    expect(comparer.comparisons(0)).toMatchObject([
      {
        precision_used: 'twin',
        precision_difference: { value: 0 },
        f1_difference: { value: 0 },
        permutation_p: 1,
      },
    ]);
  });

  test('are the classic ones when one of them did not look at it in one game', () => {
    const comparer = createBlueComparer(['rules', 'verbose']);
    comparer.add(
      'a',
      new Map([
        ['rules', findsAll(0, 0)],
        ['verbose', findsAll(6, 6)],
      ]),
    );
    comparer.add(
      'b',
      new Map([
        ['rules', findsAll(0, 0)],
        ['verbose', findsAll(6, null)],
      ]),
    );
    expect(comparer.comparisons(0)).toMatchObject([
      { precision_used: 'classic', precision_difference: { value: 0.75 }, f1_difference: { value: 0.6 } },
    ]);
  });
});

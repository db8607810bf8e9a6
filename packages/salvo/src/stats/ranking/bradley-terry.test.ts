import { describe, expect, test } from 'vitest';
import { bradleyTerry, type Comparison } from './bradley-terry.ts';

/** So many comparisons of two players, each in a cluster of its own. */
function games(first: number, second: number, counts: { won?: number; tied?: number; lost?: number }): Comparison[] {
  const { won = 0, tied = 0, lost = 0 } = counts;
  const scores = [...Array(won).fill(1), ...Array(tied).fill(0.5), ...Array(lost).fill(0)];
  return scores.map((score, index) => ({ first, second, score, cluster: String(index) }));
}

describe('bradleyTerry', () => {
  test('of two players is close to the win rate, with a tie as half', () => {
    const fitted = bradleyTerry(games(0, 1, { won: 60, tied: 20, lost: 20 }), 2);
    const difference = fitted?.difference(0, 1);
    expect(difference?.rate).toBeCloseTo(0.7, 2);
    expect(difference?.interval[0]).toBeGreaterThan(0.58);
    expect(difference?.interval[1]).toBeLessThan(0.8);
    expect(difference?.joint).toEqual(difference?.interval);
  });

  test('the strengths have a mean of 0, and the other direction is the opposite', () => {
    const all = [
      ...games(0, 1, { won: 8, lost: 4 }),
      ...games(1, 2, { won: 7, lost: 5 }),
      ...games(0, 2, { won: 9, lost: 3 }),
    ];
    const fitted = bradleyTerry(all, 3);
    expect(fitted?.strengths.reduce((sum, { strength }) => sum + strength, 0)).toBeCloseTo(0, 8);
    const [there, back] = [fitted?.difference(0, 2), fitted?.difference(2, 0)];
    expect((there?.rate ?? 0) + (back?.rate ?? 0)).toBeCloseTo(1, 8);
    expect((there?.interval[0] ?? 0) + (back?.interval[1] ?? 0)).toBeCloseTo(1, 8);
    expect(there?.joint[0]).toBeLessThan(there?.interval[0] ?? 0);
  });

  test('a player that won everything is finite, and its interval has a width', () => {
    const difference = bradleyTerry(games(0, 1, { won: 20 }), 2)?.difference(0, 1);
    expect(difference?.rate).toBeGreaterThan(0.95);
    expect(difference?.interval[0]).toBeGreaterThan(0.6);
    expect(difference?.interval[0]).toBeLessThan(0.95);
    expect(difference?.interval[1]).toBeLessThanOrEqual(1);
  });

  test('comparisons of one cluster tell less than independent ones', () => {
    const apart = games(0, 1, { won: 30, lost: 10 });
    const together = apart.map((each, index) => ({ ...each, cluster: String(Math.floor(index / 5)) }));
    const width = (list: Comparison[]) => {
      const [low = 0, high = 0] = bradleyTerry(list, 2)?.difference(0, 1).interval ?? [];
      return high - low;
    };
    expect(width(together)).toBeGreaterThan(width(apart) * 1.3);
  });

  test('players that are not linked by comparisons, or one cluster alone, cannot be ranked', () => {
    expect(bradleyTerry(games(0, 1, { won: 5, lost: 5 }), 3)).toBeNull();
    expect(bradleyTerry(games(0, 1, { won: 1 }), 2)).toBeNull();
    expect(bradleyTerry([], 2)).toBeNull();
  });

  test('ties alone are no preference', () => {
    const difference = bradleyTerry(games(0, 1, { tied: 12 }), 2)?.difference(0, 1);
    expect(difference?.rate).toBeCloseTo(0.5, 8);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kendall } from './kendall.ts';

const value = fc.integer({ min: 0, max: 8 });
const pairs = fc.array(fc.tuple(value, value), { minLength: 2, maxLength: 60 });

/** The definition, by every pair of items. */
function byPairs(a: number[], b: number[]): number | null {
  let [surplus, untiedA, untiedB] = [0, 0, 0];
  for (const [i, x] of a.entries()) {
    for (let j = 0; j < i; j += 1) {
      const [signA, signB] = [Math.sign(x - (a[j] ?? 0)), Math.sign((b[i] ?? 0) - (b[j] ?? 0))];
      surplus += signA * signB;
      untiedA += Math.abs(signA);
      untiedB += Math.abs(signB);
    }
  }
  return untiedA === 0 || untiedB === 0 ? null : surplus / Math.sqrt(untiedA * untiedB);
}

describe('kendall', () => {
  it('is what SciPy documents for a list with ties', () => {
    // Of 10 pairs the first list ties 2 and the second 1. Of the others 2 are ordered alike and 6 are not:
    // (2 - 6) / sqrt(8 * 9).
    expect(kendall([12, 2, 1, 12, 2], [1, 4, 7, 1, 0])).toBeCloseTo(-4 / Math.sqrt(72), 12);
  });

  it('without ties is the share of pairs alike less the share unlike', () => {
    // One swap of neighbours in ten pairs: (9 - 1) / 10.
    expect(kendall([1, 2, 3, 4, 5], [1, 2, 4, 3, 5])).toBe(0.8);
    expect(kendall([1, 2, 3, 4], [10, 20, 30, 40])).toBe(1);
    expect(kendall([1, 2, 3, 4], [4, 3, 2, 1])).toBe(-1);
  });

  it('is exactly 1 when both lists tie the same items', () => {
    expect(kendall([1, 1, 2, 3, 3, 3], [5, 5, 6, 7, 7, 7])).toBe(1);
  });

  it('is unknown for a constant list or fewer than two values', () => {
    expect(kendall([1, 1, 1], [1, 2, 3])).toBeNull();
    expect(kendall([1, 2, 3], [0, 0, 0])).toBeNull();
    expect(kendall([1], [1])).toBeNull();
    expect(kendall([], [])).toBeNull();
    expect(() => kendall([1, 2], [1])).toThrow(RangeError);
  });

  it('equals its definition by every pair, is symmetric and lies within -1 and 1', () => {
    fc.assert(
      fc.property(pairs, (both) => {
        const [a, b] = [both.map(([x]) => x), both.map(([, y]) => y)];
        const tau = kendall(a, b);
        const defined = byPairs(a, b);
        expect(tau === null).toBe(defined === null);
        fc.pre(tau !== null && defined !== null);
        expect(tau).toBeCloseTo(defined, 12);
        expect(kendall(b, a)).toBeCloseTo(tau, 12);
        expect(Math.abs(tau)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('holds for a hundred thousand items', () => {
    const rising = Array.from({ length: 100_000 }, (_, index) => index);
    expect(kendall(rising, rising.toReversed())).toBe(-1);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spearman } from './spearman.ts';

const value = fc.integer({ min: 0, max: 12 });
const pairs = fc.array(fc.tuple(value, value), { minLength: 2, maxLength: 40 });

describe('spearman', () => {
  it('of IQ and hours of television is -29/165, as published', () => {
    // Sum of squared rank differences 194: 1 - 6 * 194 / (10 * 99).
    const iq = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110];
    const hours = [7, 27, 2, 50, 28, 29, 20, 12, 6, 17];
    expect(spearman(iq, hours)).toBeCloseTo(-29 / 165, 12);
  });

  it('shares the ranks of ties', () => {
    // Ranks 1 2 3 4 5 and 1 2 3.5 5 3.5: product 8, squares 10 and 9.5; as scipy.stats.spearmanr.
    expect(spearman([1, 2, 3, 4, 5], [5, 6, 7, 8, 7])).toBeCloseTo(8 / Math.sqrt(95), 12);
  });

  it('is exactly 1 when one rises with the other, however unevenly, and -1 when it falls', () => {
    expect(spearman([1, 2, 3, 4], [1, 10, 100, 1e9])).toBe(1);
    expect(spearman([1, 2, 2, 4], [0, -1, -1, -9])).toBe(-1);
  });

  it('is unknown for a constant list or fewer than two values', () => {
    expect(spearman([1, 1, 1], [1, 2, 3])).toBeNull();
    expect(spearman([1], [1])).toBeNull();
    expect(spearman([], [])).toBeNull();
    expect(() => spearman([1, 2], [1])).toThrow(RangeError);
  });

  it('lies within -1 and 1, is symmetric, and is negated with one list', () => {
    fc.assert(
      fc.property(pairs, (both) => {
        const [a, b] = [both.map(([x]) => x), both.map(([, y]) => y)];
        const rho = spearman(a, b);
        expect(spearman(b, a)).toBe(rho);
        fc.pre(rho !== null);
        expect(Math.abs(rho)).toBeLessThanOrEqual(1);
        expect(
          spearman(
            a,
            b.map((y) => -y),
          ),
        ).toBeCloseTo(-rho, 12);
        expect(
          spearman(
            a.map((x) => x ** 3 + x),
            b,
          ),
        ).toBe(rho);
      }),
    );
  });
});

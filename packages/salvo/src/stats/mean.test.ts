import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mean, quantile } from './mean.ts';

const score = fc.double({ min: 0, max: 1, noNaN: true });

describe('mean', () => {
  it('of nothing is unknown, not 0', () => {
    expect(mean([])).toBeNull();
  });

  it('averages', () => {
    expect(mean([1])).toBe(1);
    expect(mean([0, 1])).toBe(0.5);
    expect(mean([0.25, 0.5, 0.75, 1])).toBe(0.625);
  });

  it('lies between the smallest and the largest value', () => {
    fc.assert(
      fc.property(fc.array(score, { minLength: 1 }), (values) => {
        const result = mean(values);
        expect(result).toBeGreaterThanOrEqual(Math.min(...values));
        expect(result).toBeLessThanOrEqual(Math.max(...values));
      }),
    );
  });

  it('of equal values is that value, to the last bit', () => {
    fc.assert(
      fc.property(score, fc.integer({ min: 1, max: 200 }), (value, count) => {
        expect(mean(Array(count).fill(value))).toBe(value);
      }),
    );
  });
});

const value = fc.double({ min: -1e300, max: 1e300, noNaN: true });
const share = fc.double({ min: 0, max: 1, noNaN: true });

describe('quantile', () => {
  it('of nothing is unknown', () => {
    expect(quantile([], 0.5)).toBeNull();
  });

  it('is unknown if one of the values is', () => {
    expect(quantile([1, null, 3], 0.5)).toBeNull();
  });

  it('of one value is that value', () => {
    expect(quantile([7], 0)).toBe(7);
    expect(quantile([7], 0.95)).toBe(7);
  });

  it('interpolates as R type 7 and NumPy do', () => {
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5);
    expect(quantile([4, 1, 3, 2], 0.25)).toBe(1.75);
    expect(quantile([10, 20, 30, 40, 50], 0.95)).toBeCloseTo(48, 12);
    expect(quantile([1, 2, 3], 0)).toBe(1);
    expect(quantile([1, 2, 3], 1)).toBe(3);
  });

  it('sorts numbers as numbers and leaves its argument alone', () => {
    const values = [10, 9, 100];
    expect(quantile(values, 0.5)).toBe(10);
    expect(values).toEqual([10, 9, 100]);
  });

  it('refuses a share outside 0 to 1', () => {
    expect(() => quantile([1], 1.1)).toThrow(RangeError);
    expect(() => quantile([1], Number.NaN)).toThrow(RangeError);
  });

  it('is never outside the data', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), share, (values, q) => {
        const result = quantile(values, q);
        expect(result).toBeGreaterThanOrEqual(Math.min(...values));
        expect(result).toBeLessThanOrEqual(Math.max(...values));
      }),
    );
  });

  it('does not fall as the share grows', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), share, share, (values, a, b) => {
        expect(quantile(values, Math.min(a, b))).toBeLessThanOrEqual(quantile(values, Math.max(a, b)) ?? Number.NaN);
      }),
    );
  });

  it('does not depend on the order of the data', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), share, (values, q) => {
        expect(quantile(values.toReversed(), q)).toBe(quantile(values, q));
      }),
    );
  });
});

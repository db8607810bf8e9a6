import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mean } from './mean.ts';

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

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { estimateDifference, estimateRate } from './rate-estimate.ts';

describe('a share with its interval', () => {
  test('has the bootstrap interval when there are five or more clusters that differ', () => {
    expect(estimateRate(0.5, { interval: [0.4, 0.6], clusters: 5 })).toEqual({ value: 0.5, interval: [0.4, 0.6] });
  });

  test('is never certain because all clusters were alike', () => {
    // Wilson of 10 of 10, and of 0 of 10.
    const all = estimateRate(1, { interval: [1, 1], clusters: 10 }).interval;
    expect(all?.[0]).toBeCloseTo(0.722, 3);
    expect(all?.[1]).toBe(1);
    const none = estimateRate(0, { interval: [0, 0], clusters: 10 }).interval;
    expect(none?.[0]).toBe(0);
    expect(none?.[1]).toBeCloseTo(0.278, 3);
  });

  test('of few clusters is wider than the bootstrap interval', () => {
    const [low = 1, high = 0] = estimateRate(0.5, { interval: [0.4, 0.6], clusters: 3 }).interval ?? [];
    expect(low).toBeLessThan(0.2);
    expect(high).toBeGreaterThan(0.8);
  });

  test('of one cluster has no interval, and without data no value', () => {
    expect(estimateRate(0.5, { interval: undefined, clusters: 1 })).toEqual({ value: 0.5, interval: null });
    expect(estimateRate(Number.NaN, { interval: [0, 1], clusters: 9 })).toEqual({ value: null, interval: null });
  });
});

describe('a difference of shares', () => {
  test('has the bootstrap interval when it is reliable', () => {
    const rate = estimateDifference(0.75, 0.5, { interval: [0.1, 0.4], clusters: 8 });
    expect(rate).toEqual({ value: 0.25, interval: [0.1, 0.4] });
  });

  test('is never certain, even when both shares are', () => {
    // Perfect on ten clusters: 1 - sqrt(0.278² + 0.278²).
    const [low, high] = estimateDifference(1, 0, { interval: [1, 1], clusters: 10 }).interval ?? [];
    expect(low).toBeCloseTo(0.607, 2);
    expect(high).toBe(1);
  });

  test('stays between -1 and 1, contains the value, and is mirrored when the shares are swapped', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, fc.integer({ min: 2, max: 8 }), (first, second, clusters) => {
        const value = first - second;
        const [low = 2, high = -2] =
          estimateDifference(first, second, { interval: [value, value], clusters }).interval ?? [];
        expect(low).toBeGreaterThanOrEqual(-1 - 1e-12);
        expect(high).toBeLessThanOrEqual(1 + 1e-12);
        expect(low).toBeLessThanOrEqual(value);
        expect(high).toBeGreaterThanOrEqual(value);
        const turned = estimateDifference(second, first, { interval: [-value, -value], clusters }).interval ?? [];
        expect(turned[0]).toBeCloseTo(-high);
        expect(turned[1]).toBeCloseTo(-low);
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { smallSampleTail } from './small-sample-tail.ts';

describe('smallSampleTail', () => {
  it('is 2.5% for very many clusters', () => {
    expect(smallSampleTail(1_000_000)).toBeCloseTo(0.025, 5);
  });

  // The 97.5% points of t with 9 and 4 degrees of freedom are 2.26216 and 2.77645.
  it.each([
    [10, 0.008548],
    [5, 0.000953],
  ])('for %i clusters is the normal tail beyond sqrt(n / (n - 1)) times Student’s t', (clusters, tail) => {
    expect(smallSampleTail(clusters)).toBeCloseTo(tail, 4);
  });

  it('grows with the clusters, and is above 0 for two', () => {
    const tails = [2, 3, 5, 10, 20, 50, 200].map(smallSampleTail);
    expect(tails).toEqual(tails.toSorted((a, b) => a - b));
    expect(tails[0]).toBeGreaterThan(0);
  });

  it.each([1, 0, -1, 2.5, Number.NaN])('refuses %s clusters', (clusters) => {
    expect(() => smallSampleTail(clusters)).toThrow(RangeError);
  });
});

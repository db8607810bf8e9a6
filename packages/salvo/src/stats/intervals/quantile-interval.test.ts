import { describe, expect, it } from 'vitest';
import { quantile } from '../mean.ts';
import { seededRandom } from '../seeded-random.ts';
import { positiveMeanInterval } from './mean-interval.ts';
import { quantileInterval } from './quantile-interval.ts';

/** How often the interval of samples contains the truth. */
function coverage(interval: (values: number[]) => [number, number] | null, size: number, truth: number): number {
  const random = seededRandom(1, 'coverage');
  const samples = Array.from({ length: 400 }, () => Array.from({ length: size }, () => -Math.log(1 - random())));
  const held = samples.filter((values) => {
    const ends = interval(values);
    return ends !== null && ends[0] <= truth && truth <= ends[1];
  });
  return held.length / samples.length;
}

describe('the interval of a quantile', () => {
  it('contains the quantile of the distribution in about 95% of the samples', () => {
    const median = coverage((values) => quantileInterval([values], 0.5), 20, Math.log(2));
    const high = coverage((values) => quantileInterval([values], 0.95), 100, Math.log(20));
    for (const share of [median, high]) {
      expect(share).toBeGreaterThan(0.91);
      expect(share).toBeLessThanOrEqual(0.995);
    }
  });

  it('contains the quantile of the sample, and is wider if groups differ', () => {
    const groups = Array.from({ length: 12 }, (_, group) => Array.from({ length: 10 }, (_, at) => group + at / 100));
    const [low, high] = quantileInterval(groups, 0.5) ?? [Number.NaN, Number.NaN];
    const [alone, end] = quantileInterval([groups.flat()], 0.5) ?? [Number.NaN, Number.NaN];
    const middle = quantile(groups.flat(), 0.5) ?? Number.NaN;
    expect(low).toBeLessThan(middle);
    expect(high).toBeGreaterThan(middle);
    expect(high - low).toBeGreaterThan(end - alone);
  });

  it('has no end if the largest value may be below the quantile: with fewer than 72 values for p95', () => {
    const values = Array.from({ length: 72 }, (_, at) => at);
    expect(quantileInterval([values], 0.95)).not.toBeNull();
    expect(quantileInterval([values.slice(1)], 0.95)).toBeNull();
    expect(quantileInterval([[]], 0.5)).toBeNull();
  });
});

describe('the interval of a mean that has no upper limit', () => {
  it('contains the mean of the distribution in about 95% of the samples, and is never negative', () => {
    expect(coverage((values) => positiveMeanInterval([values]), 30, 1)).toBeGreaterThan(0.91);
    expect(positiveMeanInterval([[0, 0, 1]])?.[0]).toBeGreaterThan(0);
  });

  it('is a point if all values are the same, and unknown for a single one', () => {
    expect(positiveMeanInterval([[2, 2], [2]])).toEqual([2, 2]);
    expect(positiveMeanInterval([[0], [0]])).toEqual([0, 0]);
    expect(positiveMeanInterval([[2]])).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { trimmedMean, weightedMean } from './weighted-mean.ts';

const equal = (...values: number[]) => values.map((value) => ({ value, weight: 1 }));

describe('weightedMean', () => {
  it('is unknown when nothing has weight', () => {
    expect(weightedMean([])).toBeNull();
    expect(weightedMean([{ value: 1, weight: 0 }])).toBeNull();
  });

  it('counts by weight', () => {
    expect(
      weightedMean([
        { value: 1, weight: 3 },
        { value: 0.5, weight: 1 },
      ]),
    ).toBe(0.875);
  });

  it('is never outside the values', () => {
    expect(weightedMean([0.1, 0.2, 0.3].map((weight) => ({ value: 0.7, weight })))).toBe(0.7);
  });
});

describe('trimmedMean', () => {
  it('leaves out the highest and the lowest', () => {
    expect(trimmedMean(equal(0, 0.5, 1, 0.75))).toBe(0.625);
  });

  it('of three is the median', () => {
    expect(trimmedMean(equal(1, 0, 0.25))).toBe(0.25);
  });

  it('of fewer is the mean', () => {
    expect(trimmedMean(equal(1, 0.5))).toBe(0.75);
    expect(trimmedMean(equal(1))).toBe(1);
    expect(trimmedMean([])).toBeNull();
  });
});

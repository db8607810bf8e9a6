import { describe, expect, test } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { pairedSumTest } from './paired-tests.ts';
import { agreedInterval, approximateTest, exactTest } from './test-inversion.ts';
import { twoSamplePermutationTest } from './two-sample-tests.ts';

describe('the interval by inversion of an exact test', () => {
  test('is that of Clopper and Pearson for pairs, as a difference', () => {
    // Eight of eight on one side: the lower limit of the share is 0.025 ** (1 / 8).
    const found = pairedSumTest(Array<number>(8).fill(1), seededRandom(1));
    expect(found?.p).toBeCloseTo(2 ** -7, 12);
    expect(found?.interval[0]).toBeCloseTo(8 * (2 * 0.025 ** (1 / 8) - 1), 6);
    expect(found?.interval[1]).toBe(8);
    // 3 of 15 is a share of 4.3% to 48.1% (R: binom.test(3, 15)).
    const mixed = [...Array<number>(12).fill(1), ...Array<number>(3).fill(-1)];
    const interval = pairedSumTest(mixed, seededRandom(1))?.interval;
    expect(interval?.[0]).toBeCloseTo(15 * (1 - 2 * 0.4808909), 4);
    expect(interval?.[1]).toBeCloseTo(15 * (1 - 2 * 0.0433121), 4);
  });

  test("is that of Fisher's test: the odds ratios of R, as differences", () => {
    const sample = (passed: number, total: number) => Array.from({ length: total }, (_, i) => (i < passed ? 1 : 0));
    const found = twoSamplePermutationTest([{ first: sample(3, 4), second: sample(1, 4) }], seededRandom(1));
    // R: fisher.test(matrix(c(3, 1, 1, 3), 2)) has odds of 0.2117329 to 621.9337505.
    const differenceAt = (odds: number) => {
      const weights = [1, 16, 36, 16, 1].map((ways, k) => ways * odds ** k);
      const sum = weights.reduce((total, weight) => total + weight, 0);
      return weights.reduce((total, weight, k) => total + (weight * (k - 2)) / 2, 0) / sum;
    };
    expect(found?.interval[0]).toBeCloseTo(differenceAt(0.2117329), 5);
    expect(found?.interval[1]).toBeCloseTo(differenceAt(621.9337505), 3);
  });

  test('for samples of different sizes, p is twice the smaller tail', () => {
    const sample = (passed: number, total: number) => Array.from({ length: total }, (_, i) => (i < passed ? 1 : 0));
    const found = twoSamplePermutationTest([{ first: sample(0, 3), second: sample(5, 5) }], seededRandom(1));
    expect(found?.p).toBeCloseTo(2 / 56, 12);
  });

  test('ends at the values that can occur', () => {
    expect(exactTest({ values: [-1, 1], chances: [0.5, 0.5] }, 1)).toEqual({
      p: 1,
      interval: [expect.closeTo(-0.95, 6), 1],
    });
    expect(exactTest({ values: [0], chances: [1] }, 0)).toEqual({ p: 1, interval: [0, 0] });
  });
});

describe('an approximate test', () => {
  test('has the interval of its standard error', () => {
    const { interval } = approximateTest(0.3, 0.0027, 0.1);
    expect(interval.map((end) => end.toFixed(3))).toEqual(['0.104', '0.496']);
  });

  test('agrees with p where the standard error does not', () => {
    expect(approximateTest(0.2, 0.051, 0.1).interval[0]).toBe(0);
    expect(approximateTest(0.19, 0.049, 0.1).interval[0]).toBeGreaterThan(0);
    expect(approximateTest(-0.19, 0.049, 0.1).interval[1]).toBeLessThan(0);
  });
});

describe('the interval that an estimate and a test agree on', () => {
  test('is the wider one, end by end', () => {
    expect(agreedInterval([-0.1, 0.2], { p: 0.3, interval: [-0.05, 0.3] })).toEqual([-0.1, 0.3]);
    expect(agreedInterval([0.04, 0.2], { p: 0.01, interval: [0.05, 0.3] })).toEqual([0.04, 0.3]);
  });

  test('excludes 0 if the test does', () => {
    expect(agreedInterval([-0.05, 0.3], { p: 0.01, interval: [0.02, 0.2] })).toEqual([0.02, 0.3]);
    expect(agreedInterval([-0.3, 0.05], { p: 0.01, interval: [-0.2, -0.02] })).toEqual([-0.3, -0.02]);
  });

  test('stays within what a difference of shares can be', () => {
    expect(agreedInterval([-1.2, 0.5], { p: 0.5, interval: [-0.9, 1.1] })).toEqual([-1, 1]);
  });
});

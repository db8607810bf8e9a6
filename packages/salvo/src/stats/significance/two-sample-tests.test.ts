import { describe, expect, it } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { twoSamplePermutationTest } from './two-sample-tests.ts';

const sample = (passed: number, total: number): number[] =>
  Array.from({ length: total }, (_, i) => (i < passed ? 1 : 0));
const samples = (first: [number, number], second: [number, number]) => ({
  first: sample(...first),
  second: sample(...second),
});
const test = (...strata: ReturnType<typeof samples>[]) => twoSamplePermutationTest(strata, seededRandom(1))?.p ?? null;

describe('the permutation test of two samples', () => {
  it("is Fisher's exact test for one stratum of passes and failures", () => {
    // The lady who tasted tea: 3 of 4 against 1 of 4.
    expect(test(samples([3, 4], [1, 4]))).toBeCloseTo(34 / 70, 12);
    expect(test(samples([5, 5], [0, 5]))).toBeCloseTo(2 / 252, 12);
    expect(test(samples([20, 20], [20, 20]))).toBe(1);
  });

  it('permutes within strata only: a difference between strata is none between samples', () => {
    expect(test(samples([10, 10], [10, 10]), samples([0, 10], [0, 10]))).toBe(1);
    expect(test(samples([4, 4], [0, 4]), samples([4, 4], [0, 4]))).toBeCloseTo(2 / 70 ** 2, 12);
  });

  it('draws permutations of other values, and comes near the exact p', () => {
    const halves = samples([3, 4], [1, 4]);
    const doubled = { first: halves.first.map((x) => 2 * x), second: halves.second.map((x) => 2 * x) };
    expect(Math.abs((test(doubled) ?? 0) - 34 / 70)).toBeLessThan(0.02);
  });

  it('holds for thousands of trials', () => {
    expect(test(samples([2500, 5000], [2600, 5000]))).toBeCloseTo(0.0477, 3);
  });

  it('is null without two samples', () => {
    expect(test()).toBeNull();
    expect(test({ first: [1], second: [] })).toBeNull();
  });
});

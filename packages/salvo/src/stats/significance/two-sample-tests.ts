import { pooledPermutationTest, type TwoSamples } from './pooled-permutation-test.ts';
import { exactTest, sum, type TestedDifference } from './test-inversion.ts';

/**
 * A permutation test of the mean over strata of the differences of means, the first minus the second: how likely one at
 * least this far from 0 is if, within each stratum, it were chance which values are in which sample. Exact, with the
 * interval by inversion, if all values are 0 or 1 and all strata have the same sizes. For one stratum this is Fisher's
 * test, two-sided as twice the smaller tail ("central"), since an interval belongs to that; for samples of the same size
 * all kinds of Fisher's test are the same. Otherwise permutations are drawn. Null without a stratum with both samples.
 */
export function twoSamplePermutationTest(
  strata: readonly TwoSamples[],
  random: () => number,
  alpha?: number,
): TestedDifference | null {
  const both = strata.filter(({ first, second }) => first.length > 0 && second.length > 0);
  const [one] = both;
  if (!one) return null;
  const isBinary = both.every(({ first, second }) =>
    [...first, ...second].every((value) => value === 0 || value === 1),
  );
  const sameSizes = both.every(
    ({ first, second }) => first.length === one.first.length && second.length === one.second.length,
  );
  if (isBinary && sameSizes) return testOfCounts(both, [one.first.length, one.second.length], alpha);
  const samples = both.map((stratum) => ({ ...stratum, weight: 1 / both.length }));
  return pooledPermutationTest({ pairs: [], samples }, random, alpha);
}

/** By the distribution of how many ones of all strata are in the first samples. */
function testOfCounts(
  strata: readonly TwoSamples[],
  [sizeOfFirst, sizeOfSecond]: [number, number],
  alpha: number | undefined,
): TestedDifference {
  let chances = [1];
  let [ones, onesInFirst] = [0, 0];
  for (const { first, second } of strata) {
    const [inFirst, inSecond] = [sum(first), sum(second)];
    ones += inFirst + inSecond;
    onesInFirst += inFirst;
    chances = convolved(chances, hypergeometric(inFirst + inSecond, sizeOfFirst, sizeOfSecond));
  }
  const difference = (inFirst: number) => (inFirst / sizeOfFirst - (ones - inFirst) / sizeOfSecond) / strata.length;
  const values = chances.map((_, inFirst) => difference(inFirst));
  return exactTest({ values, chances }, difference(onesInFirst), alpha);
}

/** chances[k]: that k of so many ones are in the first sample. Each follows from the one before. */
function hypergeometric(ones: number, sizeOfFirst: number, sizeOfSecond: number): number[] {
  const lowest = Math.max(0, ones - sizeOfSecond);
  const highest = Math.min(ones, sizeOfFirst);
  const chances = new Array<number>(highest + 1).fill(0);
  // In logarithms, because the first chance of many values underflows.
  let log =
    logChoose(sizeOfFirst, lowest) +
    logChoose(sizeOfSecond, ones - lowest) -
    logChoose(sizeOfFirst + sizeOfSecond, ones);
  for (let k = lowest; k <= highest; k += 1) {
    chances[k] = Math.exp(log);
    log += Math.log(((sizeOfFirst - k) * (ones - k)) / ((k + 1) * (sizeOfSecond - ones + k + 1)));
  }
  return chances;
}

function convolved(a: readonly number[], b: readonly number[]): number[] {
  const sums = new Array<number>(a.length + b.length - 1).fill(0);
  for (const [i, x] of a.entries()) for (const [j, y] of b.entries()) sums[i + j] = (sums[i + j] ?? 0) + x * y;
  return sums;
}

/** The logarithm of the number of ways to choose k of n. */
export function logChoose(n: number, k: number): number {
  let log = 0;
  for (let i = 1; i <= Math.min(k, n - k); i += 1) log += Math.log((n - i + 1) / i);
  return log;
}

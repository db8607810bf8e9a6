import { meetsThreshold } from './meets-threshold.ts';

/** Values of two independent samples under the same conditions, such as the trials of one case. */
export interface TwoSamples {
  first: readonly number[];
  second: readonly number[];
}

const DRAWS = 10_000;
/** With more values, fewer draws keep the time short. */
const MOST_SWAPS = 20_000_000;
const FEWEST_DRAWS = 1000;

/**
 * The two-sided p value of a permutation test: how likely a mean over the strata of the differences of means at least
 * this far from 0 is if, within each stratum, it were chance which values are in which sample. Exact if all values are 0
 * or 1 and all strata have the same sizes; for one stratum this is Fisher's test. Otherwise 10,000 permutations are
 * drawn, fewer of very many values, and the observed one counts as one more. Null without a stratum with both samples.
 */
export function twoSamplePermutationTest(strata: readonly TwoSamples[], random: () => number): number | null {
  const both = strata.filter(({ first, second }) => first.length > 0 && second.length > 0);
  const [one] = both;
  if (!one) return null;
  const isBinary = both.every(({ first, second }) =>
    [...first, ...second].every((value) => value === 0 || value === 1),
  );
  const sameSizes = both.every(
    ({ first, second }) => first.length === one.first.length && second.length === one.second.length,
  );
  return isBinary && sameSizes ? exactTest(both, one.first.length, one.second.length) : drawnTest(both, random);
}

/** By the distribution of how many ones of all strata are in the first samples. */
function exactTest(strata: readonly TwoSamples[], sizeOfFirst: number, sizeOfSecond: number): number {
  let chances = [1];
  let [ones, onesInFirst] = [0, 0];
  for (const { first, second } of strata) {
    const [inFirst, inSecond] = [sum(first), sum(second)];
    ones += inFirst + inSecond;
    onesInFirst += inFirst;
    chances = convolved(chances, hypergeometric(inFirst + inSecond, sizeOfFirst, sizeOfSecond));
  }
  const difference = (inFirst: number) => inFirst / sizeOfFirst - (ones - inFirst) / sizeOfSecond;
  const observed = Math.abs(difference(onesInFirst));
  const p = sum(chances.filter((_, inFirst) => meetsThreshold(Math.abs(difference(inFirst)), observed)));
  return Math.min(1, p);
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

function drawnTest(strata: readonly TwoSamples[], random: () => number): number {
  const pools = strata.map(({ first, second }) => ({
    values: Float64Array.from([...first, ...second]),
    size: first.length,
    total: sum(first) + sum(second),
  }));
  const observed = Math.abs(sum(pools.map(firstMinusSecond)));
  const size = sum(pools.map(({ values }) => values.length));
  const draws = Math.max(FEWEST_DRAWS, Math.min(DRAWS, Math.floor(MOST_SWAPS / size)));
  let extreme = 1;
  for (let draw = 0; draw < draws; draw += 1) {
    let difference = 0;
    for (const pool of pools) {
      shuffleFirst(pool.values, pool.size, random);
      difference += firstMinusSecond(pool);
    }
    if (meetsThreshold(Math.abs(difference), observed)) extreme += 1;
  }
  return extreme / (draws + 1);
}

function firstMinusSecond({ values, size, total }: { values: Float64Array; size: number; total: number }): number {
  let inFirst = 0;
  for (let i = 0; i < size; i += 1) inFirst += values[i] ?? 0;
  return inFirst / size - (total - inFirst) / (values.length - size);
}

/** Fisher and Yates's shuffle, as far as the first sample goes. */
function shuffleFirst(values: Float64Array, size: number, random: () => number): void {
  for (let i = 0; i < size; i += 1) {
    const j = i + Math.floor(random() * (values.length - i));
    const value = values[i] ?? 0;
    values[i] = values[j] ?? 0;
    values[j] = value;
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

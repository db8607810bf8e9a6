import { mean, meetsThreshold } from '../mean.ts';
import { normalTail } from '../normal.ts';
import { approximateTest, type ChanceDistribution, exactTest, sum, type TestedDifference } from './test-inversion.ts';

/** Up to this many pairs, all ways to swap them are tried. */
const EXACT_UP_TO = 14;
const DRAWS = 10_000;
/** The smallest difference is divided by up to so much until all differences are multiples of it. */
const FINEST_UNIT = 120;
const SAME_RATIO = 1e-9;
/** As many additions as some thousand draws need. */
const MOST_STEPS = 5_000_000;
/** From so many pairs on, the sum of swapped differences is normal for all purposes. */
const MANY_PAIRS = 1000;

/**
 * The two-sided p value of the paired permutation test: how likely a mean difference at least this far from 0 is if the
 * two of each pair could be swapped. Null without a pair.
 */
export function pairedPermutationTest(differences: readonly number[], random: () => number): number | null {
  return pairedSumTest(differences, random)?.p ?? null;
}

/**
 * The paired permutation test of the sum of differences, with the interval of this sum. Exact if the differences are
 * multiples of a unit, as those of pass rates are; if all of them have the same size, this is McNemar's test. The
 * interval is then by inversion. Of a few other pairs all swaps are tried; else 10,000 swaps are drawn, and the observed
 * one counts as one more; from 1,000 pairs on, the normal approximation is used. Null without a pair.
 */
export function pairedSumTest(
  differences: readonly number[],
  random: () => number,
  alpha?: number,
): TestedDifference | null {
  if (differences.length === 0) return null;
  // Swapping a pair without a difference changes nothing.
  const different = differences.filter((difference) => difference !== 0);
  if (different.length === 0) return { p: 1, interval: [0, 0] };
  const total = sum(different);
  const unit = unitOf(different);
  if (unit !== null) {
    return exactTest(
      distributionOfSum(
        different.map((difference) => Math.round(Math.abs(difference) / unit)),
        unit,
      ),
      total,
      alpha,
    );
  }
  const p = pOfOther(different, Math.abs(total), random);
  return approximateTest(total, p, rootOfSquares(different), alpha);
}

function pOfOther(different: readonly number[], observed: number, random: () => number): number {
  if (different.length <= EXACT_UP_TO) return testOfAllSwaps(different, observed);
  if (different.length >= MANY_PAIRS) return 2 * normalTail(observed / rootOfSquares(different));
  let extreme = 1;
  for (let draw = 0; draw < DRAWS; draw += 1) {
    let total = 0;
    for (const difference of different) total += random() < 0.5 ? difference : -difference;
    if (meetsThreshold(Math.abs(total), observed)) extreme += 1;
  }
  return extreme / (DRAWS + 1);
}

/** A unit of which all differences are multiples; null if there is none, or too much to add. */
function unitOf(differences: readonly number[]): number | null {
  const smallest = differences.reduce((least, each) => Math.min(least, Math.abs(each)), Number.POSITIVE_INFINITY);
  const ratios = differences.map((difference) => Math.abs(difference) / smallest);
  if (ratios.every((ratio) => Math.abs(ratio - 1) < SAME_RATIO)) return smallest;
  for (let parts = 1; parts <= FINEST_UNIT; parts += 1) {
    if (!ratios.every((ratio) => Math.abs(ratio * parts - Math.round(ratio * parts)) < SAME_RATIO)) continue;
    return ratios.length * parts * sum(ratios) <= MOST_STEPS ? smallest / parts : null;
  }
  return null;
}

/** The chances of all sums of sizes, each of which is swapped or not. */
function distributionOfSum(sizes: readonly number[], unit: number): ChanceDistribution {
  const reach = sum(sizes);
  const [size = 1] = sizes;
  const isOne = sizes.every((each) => each === size);
  const chances = isOne ? fairCoins(sizes.length) : sizes.reduce(withSwapped, Float64Array.of(1));
  // All sums have the same parity.
  const step = isOne ? 2 * size : 2;
  return { values: Float64Array.from(chances, (_, index) => unit * (step * index - reach)), chances };
}

function withSwapped(chances: Float64Array, size: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(chances.length + size);
  for (const [index, chance] of chances.entries()) {
    grown[index] = (grown[index] ?? 0) + chance / 2;
    grown[index + size] = (grown[index + size] ?? 0) + chance / 2;
  }
  return grown;
}

/** chances[k]: that k of so many fall on one side. In logarithms, because 2 ** -2000 underflows. */
function fairCoins(total: number): Float64Array<ArrayBuffer> {
  let log = -total * Math.LN2;
  return Float64Array.from({ length: total + 1 }, (_, k) => {
    const chance = Math.exp(log);
    log += Math.log((total - k) / (k + 1));
    return chance;
  });
}

function testOfAllSwaps(differences: readonly number[], observed: number): number {
  const ways = 2 ** differences.length;
  let extreme = 0;
  for (let way = 0; way < ways; way += 1) {
    const total = sum(differences.map((difference, index) => ((way >> index) & 1 ? -difference : difference)));
    if (meetsThreshold(Math.abs(total), observed)) extreme += 1;
  }
  return extreme / ways;
}

/** Cohen's d of paired differences: their mean in standard deviations. Null when they don't vary. */
export function pairedEffectSize(differences: readonly number[]): number | null {
  const centre = mean(differences);
  if (centre === null || differences.length < 2) return null;
  const squares = differences.map((difference) => (difference - centre) ** 2);
  const deviation = Math.sqrt(sum(squares) / (differences.length - 1));
  return deviation < 1e-12 ? null : centre / deviation;
}

function rootOfSquares(values: readonly number[]): number {
  return Math.sqrt(sum(values.map((value) => value ** 2)));
}

/**
 * The two-sided p value of the exact McNemar test: do two raters of the same items differ in how often they say yes?
 * Only items on which they differ count: how likely is a split at least this uneven if both sides are equally likely.
 */
export function mcnemarTest({ onlyFirst, onlySecond }: { onlyFirst: number; onlySecond: number }): number {
  const total = onlyFirst + onlySecond;
  if (!Number.isSafeInteger(total) || onlyFirst < 0 || onlySecond < 0) {
    throw new RangeError(`${onlyFirst} and ${onlySecond} are not counts`);
  }
  return Math.min(1, 2 * sum(fairCoins(total).subarray(0, Math.min(onlyFirst, onlySecond) + 1)));
}

/**
 * Holm's correction of p values for many comparisons: each can be read as if it were the only one. Keeps their order.
 */
export function holmCorrection(pValues: readonly number[]): number[] {
  const order = pValues.map((p, index) => ({ p, index })).toSorted((a, b) => a.p - b.p);
  const corrected = new Array<number>(pValues.length);
  let largest = 0;
  for (const [rank, { p, index }] of order.entries()) {
    largest = Math.max(largest, Math.min(1, p * (order.length - rank)));
    corrected[index] = largest;
  }
  return corrected;
}

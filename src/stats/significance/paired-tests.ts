import { mean } from '../mean.ts';
import { meetsThreshold } from '../meets-threshold.ts';
import { normalTail } from '../normal.ts';

/** Up to this many pairs, all ways to swap them are tried. */
const EXACT_UP_TO = 14;
const DRAWS = 10_000;
/** Larger units of differences are tried until all differences are whole numbers of them. */
const FINEST_UNIT = 120;
/** As many additions as some thousand draws need. */
const MOST_STEPS = 5_000_000;
/** From so many pairs on, the sum of swapped differences is normal for all purposes. */
const MANY_PAIRS = 1000;

/**
 * The two-sided p value of the paired permutation test: how likely a mean difference at least this far from 0 is if the
 * two of each pair could be swapped. Exact if the differences are multiples of a unit, as those of pass rates are, or if
 * the pairs are few. Otherwise 10,000 swaps are drawn, and the observed one counts as one more; from 1,000 pairs on, the
 * normal approximation is used. Null without a pair.
 */
export function pairedPermutationTest(differences: readonly number[], random: () => number): number | null {
  if (differences.length === 0) return null;
  // Swapping a pair without a difference changes nothing.
  const different = differences.filter((difference) => difference !== 0);
  if (different.length === 0) return 1;
  const observed = Math.abs(sum(different));
  const units = wholeUnits(different);
  if (units !== null) return exactTest(units);
  if (different.length <= EXACT_UP_TO) return testOfAllSwaps(different, observed);
  if (different.length >= MANY_PAIRS) return 2 * normalTail(observed / Math.hypot(...different));
  let extreme = 1;
  for (let draw = 0; draw < DRAWS; draw += 1) {
    let total = 0;
    for (const difference of different) total += random() < 0.5 ? difference : -difference;
    if (meetsThreshold(Math.abs(total), observed)) extreme += 1;
  }
  return extreme / (DRAWS + 1);
}

/** The differences as whole numbers of the largest unit that divides them; null if there is none, or too much to add. */
function wholeUnits(differences: readonly number[]): number[] | null {
  for (let parts = 1; parts <= FINEST_UNIT; parts += 1) {
    const units = differences.map((difference) => Math.round(difference * parts));
    if (!units.every((unit, index) => Math.abs(unit - (differences[index] ?? 0) * parts) < 1e-9)) continue;
    return units.length * sum(units.map(Math.abs)) <= MOST_STEPS ? units : null;
  }
  return null;
}

/** By the distribution of the sum: after each pair, the chances of all sums so far. */
function exactTest(units: readonly number[]): number {
  const sizes = units.map(Math.abs);
  const observed = Math.abs(sum(units));
  let reach = 0;
  // chances[i]: that the swapped sum is 2i - reach. All sums have the same parity.
  let chances = Float64Array.of(1);
  for (const size of sizes) {
    const grown = new Float64Array(chances.length + size);
    for (const [index, chance] of chances.entries()) {
      grown[index] = (grown[index] ?? 0) + chance / 2;
      grown[index + size] = (grown[index + size] ?? 0) + chance / 2;
    }
    reach += size;
    chances = grown;
  }
  let p = 0;
  for (const [index, chance] of chances.entries()) if (Math.abs(2 * index - reach) >= observed) p += chance;
  return Math.min(1, p);
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

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
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
  const fewer = Math.min(onlyFirst, onlySecond);
  // In logarithms, because 2 ** -2000 underflows.
  let logTerm = -total * Math.LN2;
  let tail = 0;
  for (let k = 0; k <= fewer; k += 1) {
    tail += Math.exp(logTerm);
    logTerm += Math.log((total - k) / (k + 1));
  }
  return Math.min(1, 2 * tail);
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

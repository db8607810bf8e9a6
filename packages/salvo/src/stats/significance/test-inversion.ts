import { THRESHOLD_TOLERANCE } from '../mean.ts';
import { ALPHA_95, normalQuantile, twoSidedZ } from '../normal.ts';

/** What a test of a difference found. */
export interface TestedDifference {
  /** Two-sided: twice the smaller tail, at most 1. */
  p: number;
  /** Of the level that was asked for. It excludes 0 exactly if p is below alpha, which is 0.05 unless another is given. */
  interval: [number, number];
}

/** The values that a difference can have if it is chance, in ascending order, each with its chance. Their mean is 0. */
export interface ChanceDistribution {
  values: ArrayLike<number>;
  chances: ArrayLike<number>;
}

const STEPS = 40;

/**
 * An exact test with the interval by its inversion. The chances are tilted: each is multiplied by the exponential of a
 * multiple of its value. This is what becomes of Fisher's distribution if the odds differ, of McNemar's if one side of
 * the pairs is likelier, and of swapped cases in general. The interval has the means of those tilted distributions in
 * which the observed difference is not in a tail of half of alpha.
 */
export function exactTest(distribution: ChanceDistribution, observed: number, alpha = ALPHA_95): TestedDifference {
  const there = possible(distribution);
  const back = { ...there, values: there.values.map((value) => -value) };
  const p = Math.min(1, 2 * Math.min(...tailsOf(distribution, observed)));
  return {
    p,
    interval: consistent([lowEnd(there, observed, alpha), -lowEnd(back, -observed, alpha)], { observed, p, alpha }),
  };
}

/** A test whose chances are known only by draws, or by the normal approximation: from p and the standard error. */
export function approximateTest(observed: number, p: number, error: number, alpha = ALPHA_95): TestedDifference {
  const reach = twoSidedZ(alpha) * error;
  return { p, interval: consistent([observed - reach, observed + reach], { observed, p, alpha }) };
}

/**
 * The wider one of an estimate's interval and a test's, end by end, so that it holds for small samples as both do. About
 * 0 the test decides, because it is wrong in 5% at most, and an estimate's interval in about 5%: if the test finds a
 * difference, the end towards 0 is the test's where that of the estimate would contain 0.
 */
export function agreedInterval(
  estimated: readonly [number, number],
  { p, interval: tested }: TestedDifference,
  alpha = ALPHA_95,
): [number, number] {
  const low = Math.max(-1, Math.min(estimated[0], tested[0]));
  const high = Math.min(1, Math.max(estimated[1], tested[1]));
  if (p >= alpha || low > 0 || high < 0) return [low, high];
  return tested[0] > 0 ? [tested[0], high] : [low, tested[1]];
}

/** Makes an approximate interval agree with p where they differ by a little: by the p that its distance to 0 has. */
function consistent(
  [low, high]: [number, number],
  { observed, p, alpha }: { observed: number; p: number; alpha: number },
): [number, number] {
  if (p >= alpha) return [Math.min(low, 0), Math.max(high, 0)];
  if (low > 0 || high < 0) return [low, high];
  const end = observed * Math.max(1e-6, 1 - twoSidedZ(alpha) / normalQuantile(p / 2));
  return observed > 0 ? [end, high] : [low, end];
}

export function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

function tailsOf({ values, chances }: ChanceDistribution, observed: number): [number, number] {
  let [above, below] = [0, 0];
  for (let index = 0; index < values.length; index += 1) {
    const [value = 0, chance = 0] = [values[index], chances[index]];
    if (value >= observed - THRESHOLD_TOLERANCE) above += chance;
    if (value <= observed + THRESHOLD_TOLERANCE) below += chance;
  }
  return [above, below];
}

interface LogDistribution {
  values: number[];
  logs: number[];
}

/** Without values that cannot occur. */
function possible({ values, chances }: ChanceDistribution): LogDistribution {
  const found: LogDistribution = { values: [], logs: [] };
  for (let index = 0; index < values.length; index += 1) {
    const chance = chances[index] ?? 0;
    if (chance <= 0) continue;
    found.values.push(values[index] ?? 0);
    found.logs.push(Math.log(chance));
  }
  return found;
}

/** The mean of that tilted distribution which has the observed value and all above it in half of alpha. */
function lowEnd(distribution: LogDistribution, observed: number, alpha: number): number {
  const { values, logs } = distribution;
  // A distribution without smaller values is tilted without end.
  if (values.every((value) => value >= observed - THRESHOLD_TOLERANCE)) return observed;
  const spread = Math.sqrt(values.reduce((sum, value, index) => sum + value ** 2 * Math.exp(logs[index] ?? 0), 0));
  const tilt = crossing((each) => tailOf(distribution, observed, each / spread).tail, alpha / 2);
  return tailOf(distribution, observed, tilt / spread).mean;
}

/** The chance of values from `observed` on, and the mean of all, after tilting. */
function tailOf({ values, logs }: LogDistribution, observed: number, tilt: number): { tail: number; mean: number } {
  let most = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < values.length; index += 1) {
    most = Math.max(most, (logs[index] ?? 0) + tilt * (values[index] ?? 0));
  }
  let [all, tail, mean] = [0, 0, 0];
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? 0;
    const weight = Math.exp((logs[index] ?? 0) + tilt * value - most);
    all += weight;
    mean += weight * value;
    if (value >= observed - THRESHOLD_TOLERANCE) tail += weight;
  }
  return { tail: tail / all, mean: mean / all };
}

/** Where a tail that grows from 0 to 1 has this size. */
function crossing(tail: (tilt: number) => number, size: number): number {
  let reach = 4;
  while (reach < 1e9 && (tail(-reach) > size || tail(reach) < size)) reach *= 4;
  let [low, high] = [-reach, reach];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (tail(middle) < size) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

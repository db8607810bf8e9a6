import { exactSum } from './exact-sum.ts';

/** The arithmetic mean, never outside the data and the same in any order; null without values. */
export function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  // The division rounds too: ten times 0.1 must not average to less than 0.1.
  return Math.min(high, Math.max(low, exactSum(values) / values.length));
}

/**
 * The q-quantile by linear interpolation (type 7, the default of R and NumPy): never outside the data.
 * Null when there is no data, or when a value is unknown.
 */
export function quantile(values: readonly (number | null)[], q: number): number | null {
  if (!(q >= 0 && q <= 1)) throw new RangeError(`a quantile lies between 0 and 1, got ${q}`);
  const known = values.filter((value) => value !== null);
  if (known.length < values.length) return null;
  const sorted = Float64Array.from(known).sort();
  const position = (sorted.length - 1) * q;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) return null;
  const fraction = position - Math.floor(position);
  if (fraction === 0) return below;
  return Math.min(above, Math.max(below, below + (above - below) * fraction));
}

/** Far smaller than any meaningful difference of scores, far larger than rounding errors of sums. */
export const THRESHOLD_TOLERANCE = 1e-9;

/** Whether a score reaches a threshold, allowing for rounding: 0.1 + 0.7 misses 0.8 by the last bit. */
export function meetsThreshold(score: number, threshold: number): boolean {
  return score >= threshold - THRESHOLD_TOLERANCE;
}

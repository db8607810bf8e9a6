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

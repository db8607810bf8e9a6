import { studentQuantile } from '../../stats/intervals/student-quantile.ts';
import type { BaselineScenario } from './baseline.ts';
import type { Difference } from './comparison.ts';

/**
 * How the mean cost or latency of a trial changed. Null if a value is unknown. A cost has a 95% interval. Times have none:
 * the trials of one run share a machine, a network and the provider's load, so that a run is one measurement of them.
 */
export function measurementDifference(
  base: BaselineScenario,
  next: BaselineScenario,
  of: 'cost_usd' | 'latency_seconds',
): { base: number; next: number; difference: Difference } | null {
  const [before, now] = [base[of], next[of]];
  if (!before || !now) return null;
  const value = now.mean - before.mean;
  if (of === 'latency_seconds') return { base: before.mean, next: now.mean, difference: { value, interval: null } };
  const variances = [before, now].map(({ sd, trials }) => sd ** 2 / trials);
  const variance = variances.reduce((sum, each) => sum + each, 0);
  // Those of the smaller sample, which is cautious.
  const freedom = Math.min(before.trials, now.trials) - 1;
  const reach = freedom < 1 ? null : studentQuantile(freedom) * Math.sqrt(variance);
  return {
    base: before.mean,
    next: now.mean,
    difference: { value, interval: reach === null ? null : [value - reach, value + reach] },
  };
}

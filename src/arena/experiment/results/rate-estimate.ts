import { wilsonInterval } from '../../../stats/wilson-interval.ts';
import type { RateEstimate } from './experiment-results.ts';

/** The result of the bootstrap for one rate. */
interface Drawn {
  interval: [number, number] | undefined;
  clusters: number;
}

const NO_ESTIMATE: RateEstimate = { value: null, interval: null };

/** With fewer clusters there are too few different samples: simulated intervals held the truth only 3 times in 4. */
const CLUSTERS_TO_RESAMPLE = 5;

/**
 * A share, or a mean of shares, with its bootstrap interval. When the bootstrap is unreliable, because the clusters are
 * few or all alike (everything found everywhere), the interval is at least as wide as Wilson's with each cluster as one
 * observation: no rate between 0 and 1 can vary more than that. NaN means that there is nothing to compute a rate from.
 */
export function estimateRate(value: number, drawn: Drawn): RateEstimate {
  if (Number.isNaN(value)) return NO_ESTIMATE;
  const { interval, clusters } = drawn;
  if (!interval) return { value, interval: null };
  return {
    value,
    interval: isReliable(interval, clusters) ? interval : widerInterval(interval, wilson(value, clusters)),
  };
}

/**
 * The same for the difference of two shares. When the bootstrap is unreliable, Newcombe's method joins both intervals.
 */
export function estimateDifference(first: number, second: number, drawn: Drawn): RateEstimate {
  const value = first - second;
  if (Number.isNaN(value)) return NO_ESTIMATE;
  const { interval, clusters } = drawn;
  if (!interval) return { value, interval: null };
  if (isReliable(interval, clusters)) return { value, interval };
  const [firstLow, firstHigh] = wilson(first, clusters);
  const [secondLow, secondHigh] = wilson(second, clusters);
  const joined: [number, number] = [
    value - Math.hypot(first - firstLow, secondHigh - second),
    value + Math.hypot(firstHigh - first, second - secondLow),
  ];
  return { value, interval: widerInterval(interval, joined) };
}

function isReliable(interval: readonly [number, number], clusters: number): boolean {
  return clusters >= CLUSTERS_TO_RESAMPLE && interval[0] < interval[1];
}

function wilson(value: number, clusters: number): [number, number] {
  const share = Math.min(1, Math.max(0, value));
  return wilsonInterval({ passed: share * clusters, total: clusters }) ?? [0, 1];
}

function widerInterval(a: readonly [number, number], b: readonly [number, number]): [number, number] {
  return [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
}

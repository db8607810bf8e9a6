import { wilsonInterval } from '../../../stats/wilson-interval.ts';
import type { RateEstimate } from './experiment-results.ts';

/** What the bootstrap made of a figure. */
interface Drawn {
  interval: [number, number] | undefined;
  clusters: number;
}

const NO_RATE: RateEstimate = { value: null, interval: null };

/** Of fewer, drawing anew gives too few different samples: simulated intervals held the truth 3 times in 4. */
const CLUSTERS_TO_DRAW = 5;

/**
 * A share, or a mean of shares, with its interval by bootstrap. Where the draws cannot tell, because the clusters are few
 * or all alike (found everything, everywhere), it is at least as wide as Wilson's with each cluster as one observation:
 * no figure between 0 and 1 can spread more than that. NaN is a share of nothing.
 */
export function estimateRate(value: number, drawn: Drawn): RateEstimate {
  if (Number.isNaN(value)) return NO_RATE;
  const { interval } = drawn;
  if (!interval) return { value, interval: null };
  return { value, interval: canTell(drawn) ? interval : wider(interval, wilson(value, drawn.clusters)) };
}

/** The same for a share minus a share; where the draws cannot tell, by Newcombe's way to join the intervals of both. */
export function estimateDifference(first: number, second: number, drawn: Drawn): RateEstimate {
  const value = first - second;
  if (Number.isNaN(value)) return NO_RATE;
  const { interval, clusters } = drawn;
  if (!interval) return { value, interval: null };
  if (canTell(drawn)) return { value, interval };
  const [firstLow, firstHigh] = wilson(first, clusters);
  const [secondLow, secondHigh] = wilson(second, clusters);
  const joined: [number, number] = [
    value - Math.hypot(first - firstLow, secondHigh - second),
    value + Math.hypot(firstHigh - first, second - secondLow),
  ];
  return { value, interval: wider(interval, joined) };
}

function canTell({ interval, clusters }: Drawn): boolean {
  return interval !== undefined && clusters >= CLUSTERS_TO_DRAW && interval[0] < interval[1];
}

function wilson(value: number, clusters: number): [number, number] {
  const share = Math.min(1, Math.max(0, value));
  return wilsonInterval({ passed: share * clusters, total: clusters }) ?? [0, 1];
}

function wider(a: readonly [number, number], b: readonly [number, number]): [number, number] {
  return [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
}

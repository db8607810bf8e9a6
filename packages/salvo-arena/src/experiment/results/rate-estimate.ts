import type { RateEstimate } from './experiment-results.ts';

/** A rate, or a difference of rates, with its interval. NaN means that there is nothing to compute it from. */
export function estimateRate(value: number, interval: [number, number] | null | undefined): RateEstimate {
  return Number.isNaN(value) ? { value: null, interval: null } : { value, interval: interval ?? null };
}

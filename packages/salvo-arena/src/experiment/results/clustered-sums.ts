import { remembered } from 'salvo/kit/text';
import type { RateEstimate } from './experiment-results.ts';

/**
 * Sums by group, and within a group by cluster: games that resemble each other, and are resampled together. Groups are in
 * the order in which each first occurred.
 */
export function createClusteredSums<Key extends object, Sums>(createSums: () => Sums) {
  const groups = new Map<string, { key: Key; clusters: Map<string, Sums> }>();
  return {
    /** The sums of a cluster, to add to. */
    sumsOf(key: Key, cluster: string): Sums {
      const name = JSON.stringify(Object.values(key));
      const { clusters } = remembered(groups, name, () => ({ key, clusters: new Map<string, Sums>() }));
      return remembered(clusters, cluster, createSums);
    },
    groups: () => [...groups.values()],
  };
}

/** A rate, or a difference of rates, with its interval. NaN means that there is nothing to compute it from. */
export function estimateRate(value: number, interval: [number, number] | null | undefined): RateEstimate {
  return Number.isNaN(value) ? { value: null, interval: null } : { value, interval: interval ?? null };
}

/** How many clusters of equal size would say as much as these: (sum of sizes)² / sum of squared sizes. */
export function effectiveNumber(sizes: Iterable<number>): number {
  let [sum, squares] = [0, 0];
  for (const size of sizes) {
    sum += size;
    squares += size * size;
  }
  return squares === 0 ? 0 : (sum * sum) / squares;
}

import { correctedWilsonInterval } from '../intervals/wilson-interval.ts';
import { weightedMean } from '../weighted-mean.ts';
import { effectiveSize } from './effective-size.ts';

/** Whether something is true of one item. */
export interface ClusteredOutcome {
  isTrue: boolean;
  /** Items of one cluster, such as the trials of one case, may be alike. */
  cluster: string;
  /** How many items it stands for; 1 if missing. */
  weight?: number | undefined;
}

export interface ClusterRate {
  rate: number;
  interval: [number, number];
  /** How many independent items would tell as much. */
  worth: number;
}

/**
 * The share of items of which something is true, with Wilson's 95% interval of as many items as these are worth. With
 * continuity correction: without it, the interval of a rate near 0 or 1, or of few items, contained the truth in 84 to
 * 92%. The interval is the whole scale if the items are of a single cluster. Null without items.
 */
export function clusterRate(items: readonly ClusteredOutcome[]): ClusterRate | null {
  const own = items.map(({ isTrue, cluster, weight = 1 }) => ({ value: Number(isTrue), cluster, weight }));
  const rate = weightedMean(own);
  if (rate === null) return null;
  const worth = effectiveSize(own.map(({ value, cluster, weight }) => ({ cluster, weight, influence: value - rate })));
  return { rate, interval: correctedWilsonInterval({ passed: rate * worth, total: worth }) ?? [0, 1], worth };
}

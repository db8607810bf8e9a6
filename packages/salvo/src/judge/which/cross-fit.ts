import { meetsThreshold } from '../../stats/mean.ts';
import { seededRandom } from '../../stats/seeded-random.ts';
import { bestThreshold } from '../calibration/best-threshold.ts';

/** The score of a judge, and the verdict of people. */
export interface FittedItem {
  score: number;
  human: boolean;
  /** Items of one cluster are in the same half. */
  cluster: string;
}

export interface CrossFit {
  /** The thresholds that were chosen on the first and on the second half. */
  thresholds: [number, number];
  /** The verdict on each item, by the threshold of the half that it is not in. */
  passed: boolean[];
}

/**
 * Chooses the threshold that agrees best with people on one half of the clusters, and applies it to the other, both
 * ways. No item is judged by a threshold that it helped to choose. Null if a half has no best threshold.
 */
export function crossFit(
  items: readonly FittedItem[],
  { current, seed }: { current: number; seed: number },
): CrossFit | null {
  const halfOf = halvesOf(items, seed);
  const [first, second] = [0, 1].map((half) =>
    bestThreshold({
      items: items.flatMap(({ score, human, cluster }) =>
        halfOf.get(cluster) === half ? [{ score, passed: human, weight: 1 }] : [],
      ),
      current,
    }),
  );
  if (!first || !second) return null;
  return {
    thresholds: [first.threshold, second.threshold],
    passed: items.map(({ score, cluster }) =>
      meetsThreshold(score, halfOf.get(cluster) === 0 ? second.threshold : first.threshold),
    ),
  };
}

/** Which half each cluster is in, 0 or 1. */
export function halvesOf(items: readonly { cluster: string }[], seed: number): ReadonlyMap<string, number> {
  const random = seededRandom(seed, 'halves');
  const clusters = [...new Set(items.map(({ cluster }) => cluster))].map((cluster) => ({ cluster, at: random() }));
  const order = clusters.sort((a, b) => a.at - b.at);
  return new Map(order.map(({ cluster }, index) => [cluster, index % 2]));
}

import { clusterIntervals, DIFFERENCE } from '../intervals/cluster-intervals.ts';
import type { PairedDifference } from './paired-rates.ts';
import { pairedSumTest } from './paired-tests.ts';
import { agreedInterval } from './test-inversion.ts';

/** How far two scores from 0 to 1 of the same item are apart. */
export interface ItemDifference {
  /** From -1 to 1. */
  by: number;
  /** Items of one cluster, such as the trials of one case, may be alike. */
  cluster: string;
}

/**
 * The mean difference of two scores on the same items. The test swaps the scores in whole clusters. The interval is that
 * of a jackknife over clusters, or the wider one of the test, and agrees with the test about 0. Null without items.
 */
export function pairedMeanDifference(items: readonly ItemDifference[], random: () => number): PairedDifference | null {
  const clusters = [...Map.groupBy(items, ({ cluster }) => cluster).values()].map((group) => ({
    sum: group.reduce((sum, { by }) => sum + by, 0),
    count: group.length,
  }));
  const meanOf = (kept: readonly { sum: number; count: number }[]): number =>
    kept.reduce((all, { sum }) => all + sum, 0) / kept.reduce((all, { count }) => all + count, 0);
  const tested = pairedSumTest(
    clusters.map(({ sum }) => sum),
    random,
  );
  if (!tested) return null;
  const [estimated] =
    clusterIntervals({ clusters, metrics: (kept) => [meanOf(kept)], ranges: [DIFFERENCE], random }) ?? [];
  const interval = agreedInterval(estimated ?? [-1, 1], {
    p: tested.p,
    interval: [tested.interval[0] / items.length, tested.interval[1] / items.length],
  });
  return { difference: meanOf(clusters), p: tested.p, interval };
}

import { once } from '../../text/memo.ts';
import { mean } from '../mean.ts';
import { ALPHA_95, studentQuantile, twoSidedZ } from '../normal.ts';

/** Intervals of fewer clusters are wide and depend much on each of them: reports say so. */
export const FEW_CLUSTERS = 10;

/** More clusters are left out in groups, so that the time grows with the clusters and not with their square. */
const MOST_GROUPS = 200;

/** The values that a metric can have. */
export type MetricRange = readonly [low: number, high: number];
const RATE: MetricRange = [0, 1];
export const DIFFERENCE: MetricRange = [-1, 1];

/**
 * 95% intervals of metrics of clusters, such as games, whose findings are not independent of each other. A jackknife
 * leaves out one cluster after the other; how far that moves a metric gives its standard error. The interval is that of
 * Student's t on the logit scale, so that it stays in the metric's range. It contains the metric itself.
 * `npm run bench interval-coverage` prints how often such intervals contain the truth.
 *
 * A cluster of which a metric alone is NaN says nothing about that metric and does not count for it. The interval of a
 * metric is null with fewer than two clusters, which say nothing about how clusters differ. With fewer than two clusters
 * at all, the result is null.
 */
export function clusterIntervals<Cluster>(options: {
  clusters: readonly Cluster[];
  /** The same number of metrics for every list of clusters, in the same order. */
  metrics: (kept: readonly Cluster[]) => readonly number[];
  /** By metric; that of a rate, 0 to 1, when missing. */
  ranges?: readonly (MetricRange | undefined)[] | undefined;
  /** Puts clusters into groups when there are more than 200. */
  random: () => number;
  /** The share of the intervals that may miss the truth; 5% when missing. */
  alpha?: number | undefined;
}): ([number, number] | null)[] | null {
  const { clusters, metrics, ranges = [], random, alpha = ALPHA_95 } = options;
  if (clusters.length < 2) return null;
  const groups = groupsOf(clusters, random);
  const only = groups.map((group) => metrics(clusters.filter((_, index) => group.has(index))));
  const without = groups.map((group) => metrics(clusters.filter((_, index) => !group.has(index))));
  // As many as there are groups, unless groups have several clusters. Few intervals need the number of all.
  const telling = once(() =>
    groups.length === clusters.length ? only : clusters.map((cluster) => metrics([cluster])),
  );
  return metrics(clusters).map((estimate, metric) => {
    const left = without.flatMap((values, group) => {
      const value = values[metric];
      return value === undefined || Number.isNaN(value) || Number.isNaN(only[group]?.[metric]) ? [] : [value];
    });
    if (Number.isNaN(estimate) || left.length < 2) return null;
    const count = () => telling().filter((values) => !Number.isNaN(values[metric])).length;
    return jackknifeInterval({ estimate, left, count }, ranges[metric] ?? RATE, alpha);
  });
}

/** Sets of positions: one for each cluster, or random groups of nearly the same size. */
function groupsOf(clusters: readonly unknown[], random: () => number): ReadonlySet<number>[] {
  const positions = [...clusters.keys()];
  if (positions.length <= MOST_GROUPS) return positions.map((position) => new Set([position]));
  const drawn = positions.map((position) => ({ position, at: random() })).sort((a, b) => a.at - b.at);
  const groups = Array.from({ length: MOST_GROUPS }, () => new Set<number>());
  for (const [index, { position }] of drawn.entries()) groups[index % MOST_GROUPS]?.add(position);
  return groups;
}

interface Jackknife {
  estimate: number;
  /** The metric without each of the groups. */
  left: readonly number[];
  /** How many clusters say something about the metric. */
  count: () => number;
}

function jackknifeInterval(
  { estimate, left, count }: Jackknife,
  [low, high]: MetricRange,
  alpha: number,
): [number, number] {
  const size = left.length;
  const middle = mean(left) ?? estimate;
  const squares = left.map((value) => ((value - middle) / (high - low)) ** 2);
  const error = Math.sqrt(((size - 1) / size) * squares.reduce((sum, square) => sum + square, 0));
  const share = (estimate - low) / (high - low);
  // Clusters that are all alike do not say how clusters differ. If none of them differs from the others, a share of all
  // clusters still may (Wilson's bound of 0 of so many), and these may have any value. Groups do not count here: 20,000
  // clusters that are alike say more than 200.
  if (error < 1e-9 || share <= 0 || share >= 1) {
    const squared = twoSidedZ(alpha) ** 2;
    const unlike = squared / (count() + squared);
    return [estimate - unlike * (estimate - low), estimate + unlike * (high - estimate)];
  }
  const logit = Math.log(share / (1 - share));
  const reach = (studentQuantile(size - 1, alpha) * error) / (share * (1 - share));
  const bound = (at: number): number => low + (high - low) / (1 + Math.exp(-at));
  return [Math.min(estimate, bound(logit - reach)), Math.max(estimate, bound(logit + reach))];
}

import { quantile } from './quantile.ts';
import { smallSampleTail } from './small-sample-tail.ts';

const RESAMPLES = 2000;

/**
 * 95% bootstrap intervals of metrics that are computed from clusters, such as games. Clusters are drawn whole, with
 * replacement, because the findings of one game resemble each other and are not independent. With few clusters the
 * interval spans more than 95% of the draws, or it would be too narrow. All metrics come from the same draws; a draw in
 * which a metric is NaN does not count for it. Every interval contains the metric of the clusters themselves. The same
 * numbers from `random` give the same intervals.
 * Null with fewer than two clusters, which say nothing about how clusters differ.
 */
export function clusterBootstrap<Cluster>(options: {
  clusters: readonly Cluster[];
  /** The same number of metrics for every draw, in the same order. */
  metrics: (drawn: readonly Cluster[]) => readonly number[];
  random: () => number;
  resamples?: number | undefined;
}): [number, number][] | null {
  const { clusters, metrics, random, resamples = RESAMPLES } = options;
  if (!(Number.isInteger(resamples) && resamples > 0)) {
    throw new RangeError(`the number of resamples must be a whole number above 0, got ${resamples}`);
  }
  if (clusters.length < 2) return null;
  const estimates = metrics(clusters);
  const columns = estimates.map(() => new Float64Array(resamples));
  const drawn = [...clusters];
  for (let resample = 0; resample < resamples; resample += 1) {
    for (let place = 0; place < drawn.length; place += 1) {
      const cluster = clusters[Math.floor(random() * clusters.length)];
      if (cluster !== undefined) drawn[place] = cluster;
    }
    for (const [index, metric] of metrics(drawn).entries()) {
      const column = columns[index];
      if (column) column[resample] = metric;
    }
  }
  const tail = smallSampleTail(clusters.length);
  return estimates.map((estimate, index) => {
    const column = Array.from(columns[index] ?? []).filter((metric) => !Number.isNaN(metric));
    return [
      Math.min(estimate, quantile(column, tail) ?? estimate),
      Math.max(estimate, quantile(column, 1 - tail) ?? estimate),
    ];
  });
}

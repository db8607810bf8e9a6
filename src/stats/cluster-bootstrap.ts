import { quantile } from './quantile.ts';
import { smallSampleTail } from './small-sample-tail.ts';

const RESAMPLES = 2000;

/**
 * 95% intervals of figures that are made from clusters, such as games: percentiles of the figures of as many clusters
 * drawn anew, with putting back. What is in one cluster stays together, so that findings of one game, which resemble
 * each other, do not count as if they were independent. With few clusters more than 95% of the draws are taken, or the
 * intervals would be too narrow. Several figures come from the same draws; one that is undefined for a draw is NaN there,
 * and has its interval from the others. Each holds the figure of the clusters themselves. With the same numbers from
 * `random` they are the same intervals.
 * Null with fewer than two clusters: one tells nothing of how they differ.
 */
export function clusterBootstrap<Cluster>(options: {
  clusters: readonly Cluster[];
  /** As many figures for any draw, in the same order. */
  figures: (drawn: readonly Cluster[]) => readonly number[];
  random: () => number;
  resamples?: number | undefined;
}): [number, number][] | null {
  const { clusters, figures, random, resamples = RESAMPLES } = options;
  if (!(Number.isInteger(resamples) && resamples > 0)) {
    throw new RangeError(`the number of resamples must be a whole number above 0, got ${resamples}`);
  }
  if (clusters.length < 2) return null;
  const estimates = figures(clusters);
  const columns = estimates.map(() => new Float64Array(resamples));
  const drawn = [...clusters];
  for (let resample = 0; resample < resamples; resample += 1) {
    for (let place = 0; place < drawn.length; place += 1) {
      const cluster = clusters[Math.floor(random() * clusters.length)];
      if (cluster !== undefined) drawn[place] = cluster;
    }
    for (const [index, figure] of figures(drawn).entries()) {
      const column = columns[index];
      if (column) column[resample] = figure;
    }
  }
  const tail = smallSampleTail(clusters.length);
  return estimates.map((estimate, index) => {
    const column = Array.from(columns[index] ?? []).filter((figure) => !Number.isNaN(figure));
    return [
      Math.min(estimate, quantile(column, tail) ?? estimate),
      Math.max(estimate, quantile(column, 1 - tail) ?? estimate),
    ];
  });
}

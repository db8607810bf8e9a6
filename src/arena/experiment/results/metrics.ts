import { clusterBootstrap } from '../../../stats/cluster-bootstrap.ts';
import { seededRandom } from '../../../stats/seeded-random.ts';
import type { Game, GameScores } from '../../game/game-document.ts';
import { estimateDifference, estimateRate, type RateEstimate } from './rate-estimate.ts';

interface Rates {
  precision: RateEstimate;
  recall: RateEstimate;
  f1: RateEstimate;
  evasion: RateEstimate;
}

/** What many games come to. */
export interface GameMetrics {
  games: number;
  vulnerabilities: number;
  found: number;
  false_alarms: number;
  /** All games thrown together, so that large ones count more. There is no precision where nothing was reported. */
  pooled: Rates;
  /** Every game counts alike. */
  average: Rates;
  /** Of the resources that nobody touched, the share that was flagged. */
  false_positive_rate: RateEstimate;
  /** Pooled recall minus the false-positive rate: 0 is no better than guessing. */
  youden_j: RateEstimate;
}

/** Sums over the games of one cluster: what resembles each other and is drawn together. */
export interface ClusterSums {
  games: number;
  found: number;
  evaded: number;
  alarms: number;
  precision: number;
  recall: number;
  f1: number;
  evasion: number;
  clean: number;
  flagged: number;
}

export function noSums(): ClusterSums {
  return { games: 0, found: 0, evaded: 0, alarms: 0, precision: 0, recall: 0, f1: 0, evasion: 0, clean: 0, flagged: 0 };
}

export function addGame(sums: ClusterSums, scores: NonNullable<Game['scores']>): void {
  sums.games += 1;
  sums.found += scores.true_positives;
  sums.evaded += scores.false_negatives;
  sums.alarms += scores.false_positives;
  sums.precision += scores.precision;
  sums.recall += scores.recall;
  sums.f1 += scores.f1_score;
  sums.evasion += scores.evasion_rate;
  sums.clean += scores.clean_resources;
  sums.flagged += scores.flagged_clean_resources;
}

/** The figures of clusters, with intervals by a bootstrap over them. The same `seed` gives the same intervals. */
export function computeMetrics(clusters: readonly ClusterSums[], seed: number): GameMetrics {
  const total = totalOf(clusters);
  const values = valuesOf(total);
  const intervals = clusterBootstrap({
    clusters,
    figures: (drawn) => valuesOf(totalOf(drawn)),
    random: seededRandom(seed, 'experiment'),
  });
  const vulnerabilities = total.found + total.evaded;
  const valueAt = (index: number) => values[index] ?? Number.NaN;
  const drawnAt = (index: number) => ({ interval: intervals?.[index], clusters: clusters.length });
  const rate = (index: number): RateEstimate => estimateRate(valueAt(index), drawnAt(index));
  const rates = (first: number): Rates => ({
    precision: rate(first),
    recall: rate(first + 1),
    f1: rate(first + 2),
    evasion: rate(first + 3),
  });
  return {
    games: total.games,
    vulnerabilities,
    found: total.found,
    false_alarms: total.alarms,
    pooled: rates(0),
    average: rates(4),
    false_positive_rate: rate(8),
    youden_j: estimateDifference(valueAt(1), valueAt(8), drawnAt(9)),
  };
}

function totalOf(clusters: readonly ClusterSums[]): ClusterSums {
  const total = noSums();
  for (const sums of clusters) {
    total.games += sums.games;
    total.found += sums.found;
    total.evaded += sums.evaded;
    total.alarms += sums.alarms;
    total.precision += sums.precision;
    total.recall += sums.recall;
    total.f1 += sums.f1;
    total.evasion += sums.evasion;
    total.clean += sums.clean;
    total.flagged += sums.flagged;
  }
  return total;
}

/** In the order that `computeMetrics` reads them; NaN is what cannot be told. */
function valuesOf(sums: ClusterSums): number[] {
  const precision = share(sums.found, sums.found + sums.alarms);
  const recall = share(sums.found, sums.found + sums.evaded);
  const alarms = share(sums.flagged, sums.clean);
  return [
    precision,
    recall,
    share(2 * sums.found, 2 * sums.found + sums.alarms + sums.evaded),
    share(sums.evaded, sums.found + sums.evaded),
    share(sums.precision, sums.games),
    share(sums.recall, sums.games),
    share(sums.f1, sums.games),
    share(sums.evasion, sums.games),
    alarms,
    recall - alarms,
  ];
}

function share(part: number, whole: number): number {
  return whole === 0 ? Number.NaN : part / whole;
}

/** Games by what they have in common, in the order it first came. */
export interface MetricsByGroup<Key extends object> {
  add(key: Key, cluster: string, scores: GameScores): void;
  figures(seed: number): (Key & GameMetrics)[];
}

export function createMetricsByGroup<Key extends object>(): MetricsByGroup<Key> {
  const groups = new Map<string, { key: Key; clusters: Map<string, ClusterSums> }>();
  return {
    add(key, cluster, scores) {
      const name = JSON.stringify(Object.values(key));
      const group = groups.get(name) ?? { key, clusters: new Map<string, ClusterSums>() };
      groups.set(name, group);
      const sums = group.clusters.get(cluster) ?? noSums();
      group.clusters.set(cluster, sums);
      addGame(sums, scores);
    },
    figures: (seed) =>
      [...groups.values()].map(({ key, clusters }) => ({ ...key, ...computeMetrics([...clusters.values()], seed) })),
  };
}

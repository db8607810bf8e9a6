import { clusterIntervals, DIFFERENCE } from 'salvo/kit/statistics';
import { seededRandom } from 'salvo/kit/stats';
import type { GameScores } from '../../game/game-document.ts';
import { addRateSums, createRateSums, meanRates, pooledRates, ratio } from '../../match/results/game-rates.ts';
import { fBeta } from '../../match/results/match-metrics.ts';
import { createClusteredSums, effectiveNumber, estimateRate } from './clustered-sums.ts';
import type { GameMetrics } from './experiment-results.ts';

/** Sums over the games of one cluster. */
type ClusterSums = ReturnType<typeof createSums>;

/** Games by what they have in common, in the order in which each group first occurred. */
export function createMetricsByGroup<Key extends object>() {
  const clustered = createClusteredSums<Key, ClusterSums>(createSums);
  return {
    add: (key: Key, cluster: string, scores: GameScores) => addSums(clustered.sumsOf(key, cluster), gameSums(scores)),
    metrics: (seed: number, beta = 1) =>
      clustered
        .groups()
        .map(({ key, clusters }) => ({ ...key, ...computeMetrics([...clusters.values()], seed, beta) })),
  };
}

/** The metrics of clusters, with their intervals. The same `seed` gives the same intervals. */
export function computeMetrics(clusters: readonly ClusterSums[], seed: number, beta = 1): GameMetrics {
  const total = sumClusters(clusters);
  const isByTwin = total.games > 0 && total.twinGames === total.games;
  const isResolved = total.resolvedGames === total.games;
  const values = ratesOf(total, isByTwin, beta);
  const names = Object.keys(values);
  const intervals = clusterIntervals({
    clusters,
    metrics: (kept) => Object.values(ratesOf(sumClusters(kept), isByTwin, beta)),
    ranges: names.map((name) => (name === 'youden_j' ? DIFFERENCE : undefined)),
    random: seededRandom(seed, 'experiment'),
  });
  const rate = (name: keyof typeof values) => estimateRate(values[name], intervals?.[names.indexOf(name)]);
  return {
    games: total.games,
    clusters: clusters.length,
    effective_clusters: effectiveNumber(clusters.map(({ games }) => games)),
    vulnerabilities: total.found + total.evaded,
    found: total.found,
    false_alarms: total.alarms,
    consequences: total.consequences,
    present_before: total.presentBefore,
    by_twin: isByTwin
      ? {
          false_alarms: total.twinAlarms,
          precision: rate('twin_precision'),
          f1: rate('twin_f1'),
          unresolved: isResolved ? total.unresolved : null,
          precision_without_unresolved: isResolved ? rate('resolved_precision') : estimateRate(Number.NaN, null),
        }
      : null,
    f_beta: rate('f_beta'),
    pooled: {
      precision: rate('precision'),
      recall: rate('recall'),
      f1: rate('f1'),
      evasion: rate('evasion'),
    },
    average: {
      precision: rate('mean_precision'),
      recall: rate('mean_recall'),
      f1: rate('mean_f1'),
      evasion: rate('mean_evasion'),
    },
    false_positive_rate: rate('false_positive_rate'),
    youden_j: rate('youden_j'),
  };
}

function createSums() {
  return {
    ...createRateSums(),
    clean: 0,
    flagged: 0,
    consequences: 0,
    presentBefore: 0,
    /** Games in which Blue looked at the clean twin, and their sums. */
    twinGames: 0,
    twinAlarms: 0,
    twinF1: 0,
    /** Games in which it is known which alarms are unresolved, and how many are. */
    resolvedGames: 0,
    unresolved: 0,
  };
}

function addSums(sums: ClusterSums, added: ClusterSums): void {
  addRateSums(sums, added);
  sums.clean += added.clean;
  sums.flagged += added.flagged;
  sums.consequences += added.consequences;
  sums.presentBefore += added.presentBefore;
  sums.twinGames += added.twinGames;
  sums.twinAlarms += added.twinAlarms;
  sums.twinF1 += added.twinF1;
  sums.resolvedGames += added.resolvedGames;
  sums.unresolved += added.unresolved;
}

function gameSums(scores: GameScores): ClusterSums {
  return {
    games: 1,
    found: scores.true_positives,
    evaded: scores.false_negatives,
    alarms: scores.false_positives,
    precision: scores.precision,
    recall: scores.recall,
    f1: scores.f1_score,
    evasion: scores.evasion_rate,
    clean: scores.clean_resources,
    flagged: scores.flagged_clean_resources,
    consequences: scores.consequences,
    presentBefore: scores.present_before,
    twinGames: scores.precision_used === 'twin' ? 1 : 0,
    twinAlarms: scores.false_alarms_by_twin ?? 0,
    twinF1: scores.f1_by_twin ?? 0,
    resolvedGames: typeof scores.unresolved === 'number' ? 1 : 0,
    unresolved: scores.unresolved ?? 0,
  };
}

function sumClusters(clusters: readonly ClusterSums[]): ClusterSums {
  const total = createSums();
  for (const sums of clusters) addSums(total, sums);
  return total;
}

/** NaN where there is nothing to compute a rate from. */
function ratesOf(sums: ClusterSums, isByTwin: boolean, beta: number) {
  const pooled = pooledRates(sums);
  const mean = meanRates(sums);
  const flagged = ratio(sums.flagged, sums.clean);
  const twinPrecision = ratio(sums.found, sums.found + sums.twinAlarms);
  const used = isByTwin ? twinPrecision : pooled.precision;
  return {
    ...pooled,
    mean_precision: mean.precision,
    mean_recall: mean.recall,
    mean_f1: mean.f1,
    mean_evasion: mean.evasion,
    false_positive_rate: flagged,
    youden_j: pooled.recall - flagged,
    twin_precision: twinPrecision,
    resolved_precision: ratio(sums.found, sums.found + sums.twinAlarms - sums.unresolved),
    f_beta: Number.isNaN(used) || Number.isNaN(pooled.recall) ? Number.NaN : fBeta(used, pooled.recall, beta),
    twin_f1: ratio(sums.twinF1, sums.games),
  };
}

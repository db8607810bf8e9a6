import {
  clusterIntervals,
  DIFFERENCE,
  holmCorrection,
  mcnemarTest,
  pairedEffectSize,
  pairedPermutationTest,
} from 'salvo/kit/statistics';
import { seededRandom } from 'salvo/kit/stats';
import { remembered } from 'salvo/kit/text';
import type { GameScores } from '../../game/game-document.ts';
import { ratio } from '../../match/results/game-rates.ts';
import { estimateRate } from './clustered-sums.ts';
import type { BlueComparison, PrecisionUsed } from './experiment-results.ts';

type BlueSums = ReturnType<typeof newSums>;

interface PairCluster {
  games: number;
  of: number;
  first: BlueSums;
  second: BlueSums;
}

interface Pair {
  first: string;
  second: string;
  counts: { games: number; both: number; only_first: number; only_second: number; neither: number };
  f1Differences: Record<PrecisionUsed, number[]>;
  /** Games in which both looked at the clean twin. */
  twinGames: number;
  clusters: Map<string, PairCluster>;
}

export function createBlueComparer(blues: readonly string[]) {
  const pairs = blues.flatMap((first, index) => blues.slice(index + 1).map((second) => newPair(first, second)));
  return {
    /** Adds the scores of all Blues on one piece of code. A Blue whose game failed has none. */
    add(cluster: string, scores: ReadonlyMap<string, GameScores>): void {
      for (const pair of pairs) {
        const [first, second] = [scores.get(pair.first), scores.get(pair.second)];
        if (first && second) addPair(pair, cluster, first, second);
      }
    },
    comparisons: (seed: number): BlueComparison[] =>
      correctForAllPairs(pairs.filter(({ counts }) => counts.games > 0).map((pair) => compareBlues(pair, seed))),
  };
}

function newPair(first: string, second: string): Pair {
  const counts = { games: 0, both: 0, only_first: 0, only_second: 0, neither: 0 };
  return { first, second, counts, f1Differences: { classic: [], twin: [] }, twinGames: 0, clusters: new Map() };
}

function addPair(pair: Pair, cluster: string, first: GameScores, second: GameScores) {
  const { counts, f1Differences, clusters } = pair;
  const sums = remembered(clusters, cluster, () => ({ games: 0, of: 0, first: newSums(), second: newSums() }));
  counts.games += 1;
  sums.games += 1;
  addScores(sums.first, first);
  addScores(sums.second, second);
  f1Differences.classic.push(first.f1_score - second.f1_score);
  if (first.f1_by_twin !== null && second.f1_by_twin !== null) {
    pair.twinGames += 1;
    f1Differences.twin.push(first.f1_by_twin - second.f1_by_twin);
  }
  const foundBySecond = new Map(second.vulnerabilities.map(({ id, found }) => [id, found]));
  for (const { id, found } of first.vulnerabilities) {
    const other = foundBySecond.get(id);
    // The same code has the same manifest. A vulnerability that only one Blue was scored against is not compared.
    if (other === undefined) continue;
    sums.of += 1;
    if (found) sums.first.found += 1;
    if (other) sums.second.found += 1;
    if (found) counts[other ? 'both' : 'only_first'] += 1;
    else counts[other ? 'only_second' : 'neither'] += 1;
  }
}

/**
 * Sums of one Blue over the games of a cluster: classic, and by the clean twin where Blue looked at it. Found is of the
 * vulnerabilities that both were scored against.
 */
function newSums() {
  return { found: 0, matches: 0, classic: { alarms: 0, f1: 0 }, twin: { alarms: 0, f1: 0 } };
}

function addScores(sums: BlueSums, scores: GameScores): void {
  const { classic, twin } = sums;
  sums.matches += scores.true_positives;
  classic.alarms += scores.false_positives;
  classic.f1 += scores.f1_score;
  twin.alarms += scores.false_alarms_by_twin ?? 0;
  twin.f1 += scores.f1_by_twin ?? 0;
}

/** The differences of recall, pooled precision and mean F1 over clusters. */
function differences(clusters: readonly PairCluster[], used: PrecisionUsed): [number, number, number] {
  const games = sum(clusters, (cluster) => cluster.games);
  const vulnerabilities = sum(clusters, ({ of }) => of);
  const [first, second] = (['first', 'second'] as const).map((side) => {
    const matches = sum(clusters, (cluster) => cluster[side].matches);
    const alarms = sum(clusters, (cluster) => cluster[side][used].alarms);
    return {
      found: sum(clusters, (cluster) => cluster[side].found),
      precision: ratio(matches, matches + alarms),
      f1: sum(clusters, (cluster) => cluster[side][used].f1),
    };
  });
  if (!first || !second) return [Number.NaN, Number.NaN, Number.NaN];
  return [
    (first.found - second.found) / vulnerabilities,
    first.precision - second.precision,
    (first.f1 - second.f1) / games,
  ];
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

function compareBlues(pair: Pair, seed: number): BlueComparison {
  const { first, second, counts, f1Differences, clusters } = pair;
  const used: PrecisionUsed = pair.twinGames === counts.games ? 'twin' : 'classic';
  const { both, only_first, only_second, neither } = counts;
  const vulnerabilities = both + only_first + only_second + neither;
  const all = [...clusters.values()];
  const [, precision, f1] = differences(all, used);
  const intervals = clusterIntervals({
    clusters: all,
    metrics: (kept) => differences(kept, used),
    ranges: [DIFFERENCE, DIFFERENCE, DIFFERENCE],
    random: seededRandom(seed, 'pairs', first, second),
  });
  return {
    first,
    second,
    games: counts.games,
    vulnerabilities,
    both,
    only_first,
    only_second,
    neither,
    risk_difference: estimateRate((only_first - only_second) / vulnerabilities, intervals?.[0]),
    odds_ratio: only_second === 0 ? null : only_first / only_second,
    mcnemar_p: mcnemarTest({ onlyFirst: only_first, onlySecond: only_second }),
    mcnemar_p_holm: Number.NaN,
    precision_used: used,
    precision_difference: estimateRate(precision, intervals?.[1]),
    f1_difference: estimateRate(f1, intervals?.[2]),
    f1_effect_size: pairedEffectSize(f1Differences[used]),
    // Whole clusters are swapped. Games on one task resemble each other: swapped one by one, they would give a p below
    // 0.05 several times too often.
    permutation_p: pairedPermutationTest(
      all.map((cluster) => cluster.first[used].f1 - cluster.second[used].f1),
      seededRandom(seed, 'permutation', first, second),
    ),
    permutation_p_holm: null,
  };
}

/**
 * Holm's correction over all pairs, separately for each test: both tests answer the same question in different ways.
 */
function correctForAllPairs(comparisons: readonly BlueComparison[]): BlueComparison[] {
  const mcnemar = holmCorrection(comparisons.map(({ mcnemar_p }) => mcnemar_p));
  const permutation = holmCorrection(comparisons.map(({ permutation_p }) => permutation_p ?? 1));
  return comparisons.map((comparison, index) => ({
    ...comparison,
    mcnemar_p_holm: mcnemar[index] ?? 1,
    permutation_p_holm: comparison.permutation_p === null ? null : (permutation[index] ?? 1),
  }));
}

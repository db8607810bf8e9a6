import { clusterIntervals, DIFFERENCE } from '../../../stats/cluster-intervals.ts';
import { holmCorrection, mcnemarTest, pairedEffectSize, pairedPermutationTest } from '../../../stats/paired-tests.ts';
import { seededRandom } from '../../../stats/seeded-random.ts';
import type { GameScores } from '../../game/game-document.ts';
import type { BlueComparison } from './experiment-results.ts';
import { estimateRate } from './rate-estimate.ts';

interface PairCluster {
  games: number;
  of: number;
  first: number;
  second: number;
  firstF1: number;
  secondF1: number;
}

interface Pair {
  first: string;
  second: string;
  counts: { games: number; both: number; only_first: number; only_second: number; neither: number };
  f1Differences: number[];
  clusters: Map<string, PairCluster>;
}

export interface BlueComparer {
  /** Adds the scores of all Blues on one piece of code. A Blue whose game failed has none. */
  add(cluster: string, scores: ReadonlyMap<string, GameScores>): void;
  comparisons(seed: number): BlueComparison[];
}

export function createBlueComparer(blues: readonly string[]): BlueComparer {
  const pairs = blues.flatMap((first, index) => blues.slice(index + 1).map((second) => newPair(first, second)));
  return {
    add(cluster, scores) {
      for (const pair of pairs) {
        const [first, second] = [scores.get(pair.first), scores.get(pair.second)];
        if (first && second) addPair(pair, cluster, first, second);
      }
    },
    comparisons: (seed) =>
      correctForAllPairs(pairs.filter(({ counts }) => counts.games > 0).map((pair) => compareBlues(pair, seed))),
  };
}

function newPair(first: string, second: string): Pair {
  const counts = { games: 0, both: 0, only_first: 0, only_second: 0, neither: 0 };
  return { first, second, counts, f1Differences: [], clusters: new Map() };
}

function addPair({ counts, f1Differences, clusters }: Pair, cluster: string, first: GameScores, second: GameScores) {
  const sums = clusters.get(cluster) ?? { games: 0, of: 0, first: 0, second: 0, firstF1: 0, secondF1: 0 };
  clusters.set(cluster, sums);
  counts.games += 1;
  sums.games += 1;
  sums.firstF1 += first.f1_score;
  sums.secondF1 += second.f1_score;
  f1Differences.push(first.f1_score - second.f1_score);
  const foundBySecond = new Map(second.vulnerabilities.map(({ id, found }) => [id, found]));
  for (const { id, found } of first.vulnerabilities) {
    const other = foundBySecond.get(id);
    // The same code has the same manifest. A vulnerability that only one Blue was scored against is not compared.
    if (other === undefined) continue;
    sums.of += 1;
    if (found) sums.first += 1;
    if (other) sums.second += 1;
    if (found) counts[other ? 'both' : 'only_first'] += 1;
    else counts[other ? 'only_second' : 'neither'] += 1;
  }
}

function compareBlues({ first, second, counts, f1Differences, clusters }: Pair, seed: number): BlueComparison {
  const { both, only_first, only_second, neither } = counts;
  const vulnerabilities = both + only_first + only_second + neither;
  const all = [...clusters.values()];
  const f1 = (of: 'firstF1' | 'secondF1') => all.reduce((sum, cluster) => sum + cluster[of], 0) / counts.games;
  const intervals = clusterIntervals({
    clusters: all,
    metrics(kept) {
      const sums = { games: 0, of: 0, difference: 0, f1: 0 };
      for (const cluster of kept) {
        sums.games += cluster.games;
        sums.of += cluster.of;
        sums.difference += cluster.first - cluster.second;
        sums.f1 += cluster.firstF1 - cluster.secondF1;
      }
      return [sums.difference / sums.of, sums.f1 / sums.games];
    },
    ranges: [DIFFERENCE, DIFFERENCE],
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
    f1_difference: estimateRate(f1('firstF1') - f1('secondF1'), intervals?.[1]),
    f1_effect_size: pairedEffectSize(f1Differences),
    // Whole clusters are swapped. Games on one task resemble each other: swapped one by one, they would give a p below
    // 0.05 several times too often.
    permutation_p: pairedPermutationTest(
      all.map(({ firstF1, secondF1 }) => firstF1 - secondF1),
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

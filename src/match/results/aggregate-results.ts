import { clusterBootstrap } from '../../stats/cluster-bootstrap.ts';
import { mean } from '../../stats/mean.ts';
import { seededRandom } from '../../stats/seeded-random.ts';
import { JudgeError } from '../claims/judge-error.ts';
import { fBeta } from './match-metrics.ts';
import type { Interval, ScoreResults } from './score-results.ts';

/** The fields of a result that are aggregated. */
const METRICS = [
  'truePositives',
  'falsePositives',
  'falseNegatives',
  'precision',
  'recall',
  'f1Score',
  'evasionRate',
] as const;

type GameScore = Pick<ScoreResults, (typeof METRICS)[number]>;

/** `avg` counts every game alike. `micro` pools the games, so that large games count more. */
interface Rates<T> {
  avg_precision: T;
  avg_recall: T;
  avg_f1: T;
  avg_evasion: T;
  micro_precision: T;
  micro_recall: T;
  micro_f1: T;
  micro_evasion: T;
}

/** The results of many games as one document. */
export interface AggregatedResults extends Rates<number> {
  total_games: number;
  /** Games with neither a vulnerability nor a finding. They count as games, with 0 for every metric. */
  total_empty: number;
  total_tp: number;
  total_fp: number;
  total_fn: number;
  /** 95%, by a bootstrap over games. Null with fewer than two games. */
  intervals: Rates<Interval | null>;
}

/** Aggregates games. The order of the games changes nothing, and the same seed gives the same intervals. */
export function aggregateResults(
  all: readonly GameScore[],
  { seed = 0, resamples }: { seed?: number | undefined; resamples?: number | undefined } = {},
): AggregatedResults {
  for (const [index, game] of all.entries()) {
    if (METRICS.every((metric) => Number.isFinite(game?.[metric]))) continue;
    throw new JudgeError(
      'bad_option',
      `aggregateResults: entry ${index + 1} is not the result of a game. Give what \`score\` returned, not its document.`,
    );
  }
  // A game is fully described by three counts, so games with equal counts may be in any order.
  const games = [...all].sort(
    (a, b) =>
      a.truePositives - b.truePositives || a.falsePositives - b.falsePositives || a.falseNegatives - b.falseNegatives,
  );
  const { tp, fp, fn } = sumGames(games);
  return {
    total_games: games.length,
    total_empty: games.filter((game) => game.truePositives + game.falsePositives + game.falseNegatives === 0).length,
    avg_precision: mean(games.map(({ precision }) => precision)) ?? 0,
    avg_recall: mean(games.map(({ recall }) => recall)) ?? 0,
    avg_f1: mean(games.map(({ f1Score }) => f1Score)) ?? 0,
    avg_evasion: mean(games.map(({ evasionRate }) => evasionRate)) ?? 0,
    ...pooledRates(tp, fp, fn),
    total_tp: tp,
    total_fp: fp,
    total_fn: fn,
    intervals: bootstrapIntervals(games, seed, resamples),
  };
}

function bootstrapIntervals(games: readonly GameScore[], seed: number, resamples?: number): Rates<Interval | null> {
  const bounds = clusterBootstrap({
    clusters: games,
    figures(drawn) {
      const sums = sumGames(drawn);
      const micro = pooledRates(sums.tp, sums.fp, sums.fn);
      return [
        sums.precision / drawn.length,
        sums.recall / drawn.length,
        sums.f1 / drawn.length,
        sums.evasion / drawn.length,
        micro.micro_precision,
        micro.micro_recall,
        micro.micro_f1,
        micro.micro_evasion,
      ];
    },
    random: seededRandom(seed, 'games'),
    resamples,
  });
  const interval = (metric: number): Interval | null => {
    const found = bounds?.[metric];
    return found ? { low: found[0], high: found[1] } : null;
  };
  return {
    avg_precision: interval(0),
    avg_recall: interval(1),
    avg_f1: interval(2),
    avg_evasion: interval(3),
    micro_precision: interval(4),
    micro_recall: interval(5),
    micro_f1: interval(6),
    micro_evasion: interval(7),
  };
}

/** In one pass, since a bootstrap computes thousands of them. */
function sumGames(games: readonly GameScore[]) {
  const sums = { tp: 0, fp: 0, fn: 0, precision: 0, recall: 0, f1: 0, evasion: 0 };
  for (const game of games) {
    sums.tp += game.truePositives;
    sums.fp += game.falsePositives;
    sums.fn += game.falseNegatives;
    sums.precision += game.precision;
    sums.recall += game.recall;
    sums.f1 += game.f1Score;
    sums.evasion += game.evasionRate;
  }
  return sums;
}

function pooledRates(tp: number, fp: number, fn: number) {
  const micro_precision = tp + fp === 0 ? 0 : tp / (tp + fp);
  const micro_recall = tp + fn === 0 ? 0 : tp / (tp + fn);
  return {
    micro_precision,
    micro_recall,
    micro_f1: fBeta(micro_precision, micro_recall, 1),
    micro_evasion: tp + fn === 0 ? 0 : fn / (tp + fn),
  };
}

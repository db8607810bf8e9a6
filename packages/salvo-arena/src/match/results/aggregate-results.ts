import { clusterIntervals } from 'salvo/kit/statistics';
import { seededRandom } from 'salvo/kit/stats';
import { JudgeError } from '../claims/judge-error.ts';
import { createRateSums, meanRates, pooledRates, type RateSums } from './game-rates.ts';
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

/** The part of a game's results that is aggregated. */
export type GameScore = Pick<ScoreResults, (typeof METRICS)[number]>;

/** The results of many games as one document. */
export type AggregatedResults = ReturnType<typeof aggregateResults>;

/** Aggregates games. The order of the games changes nothing, and the same seed gives the same intervals. */
export function aggregateResults(all: readonly GameScore[], { seed = 0 }: { seed?: number | undefined } = {}) {
  for (const [index, game] of all.entries()) {
    if (METRICS.every((metric) => Number.isFinite(game?.[metric]))) continue;
    throw new JudgeError(
      'OPTIONS_INVALID',
      `aggregateResults: entry ${index + 1} is not the result of a game. Give what \`score\` returned, not its document.`,
    );
  }
  // A game is fully described by three counts, so games with equal counts may be in any order.
  const games = [...all].sort(
    (a, b) =>
      a.truePositives - b.truePositives || a.falsePositives - b.falsePositives || a.falseNegatives - b.falseNegatives,
  );
  const sums = sumGames(games);
  const rates = ratesOf(sums);
  return {
    total_games: games.length,
    /** Games with neither a vulnerability nor a finding. They count as games, with 0 for every metric. */
    total_empty: games.filter((game) => game.truePositives + game.falsePositives + game.falseNegatives === 0).length,
    ...namedRates((index) => rates[index] ?? 0),
    total_tp: sums.found,
    total_fp: sums.alarms,
    total_fn: sums.evaded,
    /** 95%, over games as clusters. Null with fewer than two games. */
    intervals: intervalsOver(games, seed),
  };
}

function intervalsOver(games: readonly GameScore[], seed: number) {
  const bounds = clusterIntervals({
    clusters: games,
    metrics: (kept) => ratesOf(sumGames(kept)),
    random: seededRandom(seed, 'games'),
  });
  return namedRates((index): Interval | null => {
    const interval = bounds?.[index];
    return interval ? { low: interval[0], high: interval[1] } : null;
  });
}

function sumGames(games: readonly GameScore[]): RateSums {
  const sums = createRateSums();
  for (const game of games) {
    sums.games += 1;
    sums.found += game.truePositives;
    sums.alarms += game.falsePositives;
    sums.evaded += game.falseNegatives;
    sums.precision += game.precision;
    sums.recall += game.recall;
    sums.f1 += game.f1Score;
    sums.evasion += game.evasionRate;
  }
  return sums;
}

/** In the order of `namedRates`. A rate of nothing is 0 here. */
function ratesOf(sums: RateSums): number[] {
  return [meanRates(sums), pooledRates(sums)]
    .flatMap(({ precision, recall, f1, evasion }) => [precision, recall, f1, evasion])
    .map((rate) => (Number.isNaN(rate) ? 0 : rate));
}

/** `avg` counts every game alike. `micro` pools the games, so that large games count more. */
function namedRates<T>(at: (index: number) => T) {
  return {
    avg_precision: at(0),
    avg_recall: at(1),
    avg_f1: at(2),
    avg_evasion: at(3),
    micro_precision: at(4),
    micro_recall: at(5),
    micro_f1: at(6),
    micro_evasion: at(7),
  };
}

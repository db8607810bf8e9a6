import type { Cost } from 'salvo/kit/stats';
import type { Game } from '../../game/game-document.ts';
import type { GameRates } from '../../match/results/game-rates.ts';
import type { ExperimentRecord } from '../experiment-record.ts';

/** A rate with its 95% interval. Null where there is nothing to compute it from. */
export interface RateEstimate {
  value: number | null;
  interval: [number, number] | null;
}

/** Precision by the clean twin: findings that a flaw caused are no false alarms. */
interface TwinMetrics {
  false_alarms: number;
  /** Of all games as if they were one. */
  precision: RateEstimate;
  /** The mean over games. */
  f1: RateEstimate;
}

/** Which precision Blues are compared by. */
export type PrecisionUsed = 'twin' | 'classic';

/** The metrics of many games. */
export interface GameMetrics {
  games: number;
  /** What the intervals are computed over: tasks or pieces of code. Fewer than ten make wide intervals. */
  clusters: number;
  vulnerabilities: number;
  found: number;
  false_alarms: number;
  consequences: number;
  present_before: number;
  /** By the clean twin; null unless Blue looked at it in all of these games. */
  by_twin: TwinMetrics | null;
  /** Of all games as if they were one, so that large games count more. No precision where nothing was reported. */
  pooled: Record<keyof GameRates, RateEstimate>;
  /** Every game counts alike. */
  average: Record<keyof GameRates, RateEstimate>;
  /** The share of untouched resources that was flagged. */
  false_positive_rate: RateEstimate;
  /** Pooled recall minus the false-positive rate: 0 is no better than guessing. */
  youden_j: RateEstimate;
}

/** How many vulnerabilities a Blue found of one group. */
export interface GroupRecall {
  blue: string;
  /** The category or the technique. */
  group: string;
  vulnerabilities: number;
  found: number;
  recall: RateEstimate;
}

/** How much of what a Red claimed was true. Every piece of code counts once, however many Blues looked at it. */
export interface ManifestMetrics {
  red: string;
  codes: number;
  claimed: number;
  confirmed: number;
  phantoms: number;
  unchecked: number;
  accuracy: RateEstimate;
}

/** Two Blues on the same code. Differences are the first minus the second. */
export interface BlueComparison {
  first: string;
  second: string;
  /** Pieces of code that both looked at. */
  games: number;
  vulnerabilities: number;
  both: number;
  only_first: number;
  only_second: number;
  neither: number;
  /** The difference between the shares of vulnerabilities that they found. */
  risk_difference: RateEstimate;
  /** Among the vulnerabilities that only one found: first to second. Null when the second found none of them. */
  odds_ratio: number | null;
  /** Exact, with every vulnerability as an observation; below it corrected for all comparisons (Holm). */
  mcnemar_p: number;
  mcnemar_p_holm: number;
  /** `twin` if both Blues looked at the clean twin in all of these games. All figures below are by it. */
  precision_used: PrecisionUsed;
  /** Of pooled precisions. */
  precision_difference: RateEstimate;
  f1_difference: RateEstimate;
  /** Cohen's d of the paired differences. Null without variance. */
  f1_effect_size: number | null;
  /** Whole clusters are swapped. */
  permutation_p: number | null;
  permutation_p_holm: number | null;
}

type Cell = Pick<Game, 'red' | 'blue' | 'difficulty' | 'language' | 'strategy'>;

/** The metrics of games that have one thing in common, whatever else they differ in. */
export interface DimensionMetrics extends GameMetrics {
  dimension: 'red' | 'difficulty' | 'language' | 'strategy';
  value: string;
  blue: string;
}

export type FailedGame = Pick<
  Game,
  'game_id' | 'task' | 'red' | 'blue' | 'difficulty' | 'language' | 'strategy' | 'repetition' | 'failed_stage' | 'error'
>;

/** What became of the games of an experiment. `missing`: not played. */
export interface GameCounts {
  planned: number;
  scored: number;
  failed: number;
  missing: number;
  /** Why stored games can't be read, each with its id. Absent if all can be. */
  unreadable?: string[];
}

/** The results of an experiment so far. A document. */
export interface ExperimentResults {
  experiment: ExperimentRecord;
  games: GameCounts;
  /** What is one cluster for the intervals: all games on one task, or all on one piece of code. */
  clustered_by: 'task' | 'code';
  /** `twin` if every Blue looked at the clean twin in every game. Comparisons say it for each pair. */
  precision_used: PrecisionUsed;
  /**
   * `lost`: paid for games that were replaced or not stored. It is part of `known`. `calls_unknown`: how many calls may
   * have been charged without anybody knowing how much. `killed`: so was what a process had under way that was killed.
   */
  cost_usd: {
    red: number | null;
    blue: number | null;
    judge: number | null;
    lost: number;
    known: number;
    calls_unknown: number;
    killed?: boolean;
  };
  manifests: ManifestMetrics[];
  overall: GameMetrics;
  blues: (GameMetrics & { blue: string })[];
  /** Each Red against each Blue. */
  pairings: (GameMetrics & { red: string; blue: string })[];
  /** Each dimension of the matrix that varies, by itself. */
  dimensions: DimensionMetrics[];
  cells: (GameMetrics & Cell)[];
  categories: GroupRecall[];
  techniques: GroupRecall[];
  comparisons: BlueComparison[];
  /** The first so many; `games.failed` counts all. */
  failed: FailedGame[];
}

/** What all of it cost, as it is shown. */
export function experimentCost({ cost_usd }: Pick<ExperimentResults, 'cost_usd'>): Cost {
  const { red, blue, judge, known, calls_unknown, killed } = cost_usd;
  const isExact = red !== null && blue !== null && judge !== null && !killed;
  return isExact ? { usd: known } : { usd: null, at_least: { usd: known, calls_unknown, ...(killed && { killed }) } };
}

import type { Game } from '../../game/game-document.ts';
import type { ExperimentRecord } from '../experiment-record.ts';
import type { BlueComparison } from './compare-blues.ts';
import type { GameMetrics } from './metrics.ts';
import type { RateEstimate } from './rate-estimate.ts';
import type { GroupRecall } from './recall-by-group.ts';

/** Games that have these in common, and what they come to. */
interface CellMetrics extends GameMetrics {
  red: string;
  blue: string;
  difficulty: Game['difficulty'];
  language: Game['language'];
  strategy: Game['strategy'];
}

/** Games that have one thing in common, whatever else they differ in. */
export interface DimensionMetrics extends GameMetrics {
  dimension: 'red' | 'difficulty' | 'language' | 'strategy';
  value: string;
  blue: string;
}

export interface BlueGroupRecall extends GroupRecall {
  blue: string;
  /** The category or the technique. */
  group: string;
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

export type FailedGame = Pick<
  Game,
  'game_id' | 'task' | 'red' | 'blue' | 'difficulty' | 'language' | 'strategy' | 'repetition' | 'failed_stage' | 'error'
>;

/** What an experiment has come to so far. A document. */
export interface ExperimentResults {
  experiment: ExperimentRecord;
  games: { planned: number; scored: number; failed: number; missing: number };
  /** What was drawn together for the intervals: all games on one task, or all on one piece of code. */
  clustered_by: 'task' | 'code';
  cost_usd: { red: number | null; blue: number | null; judge: number | null; known: number };
  manifests: ManifestMetrics[];
  overall: GameMetrics;
  blues: (GameMetrics & { blue: string })[];
  /** Each Red against each Blue. */
  pairings: (GameMetrics & { red: string; blue: string })[];
  /** Each dimension of the matrix that varies, by itself. */
  dimensions: DimensionMetrics[];
  cells: CellMetrics[];
  categories: BlueGroupRecall[];
  techniques: BlueGroupRecall[];
  comparisons: BlueComparison[];
  /** The first so many; `games.failed` counts all. */
  failed: FailedGame[];
}

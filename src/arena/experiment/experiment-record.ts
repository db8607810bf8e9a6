import { z } from 'zod';
import type { Game } from '../game/game-document.ts';
import type { RedOutcome } from '../red/red-team.ts';
import { experimentPlanSchema } from './plan/experiment-plan.ts';

/** An experiment as it is stored; its games are stored beside it, each as it ends. */
export const experimentRecordSchema = z.object({
  experiment_id: z.string(),
  /** `scanner`: played by `salvo bench-scanner`, and shown as a scorecard. */
  kind: z.enum(['matrix', 'scanner']),
  name: z.string(),
  created_at: z.string(),
  finished_at: z.string().nullable(),
  /** `stopped`: by its budget, or because it was hopeless. */
  status: z.enum(['running', 'finished', 'interrupted', 'stopped']),
  /** Why it was stopped, in words. */
  stop_reason: z.string().nullable(),
  games_planned: z.int().nonnegative(),
  salvo_version: z.string(),
  plan: experimentPlanSchema,
  /** The process that is at work on it, to refuse a second one. */
  owner: z.object({ pid: z.int(), host: z.string() }).nullable(),
});

export type ExperimentRecord = z.infer<typeof experimentRecordSchema>;

/** What an experiment needs of a store. Each promise is kept only when what it promises would survive a kill. */
export interface ExperimentRecorder {
  /** Replaces the record with the same id. */
  saveExperiment(experiment: ExperimentRecord): Promise<void>;
  /**
   * The same, unless `refuse` throws on what is stored. Nobody writes between the look and the write, so that of two
   * processes that want the same experiment one is refused.
   */
  claimExperiment(experiment: ExperimentRecord, refuse: (stored: ExperimentRecord) => void): Promise<void>;
  getExperiment(experimentId: string): Promise<ExperimentRecord | null>;
  /** Replaces the game with the same id. */
  saveGame(game: Game): Promise<void>;
  /** In order of their ids, read as they are consumed. */
  games(experimentId: string): AsyncIterable<Game>;
  /** Keeps code that was paid for. False when it may not be stored as it is. */
  saveCode(experimentId: string, codeKey: string, outcome: RedOutcome): Promise<boolean>;
  getCode(experimentId: string, codeKey: string): Promise<RedOutcome | null>;
}

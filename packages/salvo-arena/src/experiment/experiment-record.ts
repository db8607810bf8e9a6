import { type Lease, newId, type Work } from 'salvo/kit/queue';
import { projectName, textFree } from 'salvo/kit/secrets';
import { isAllCodeRefused, SalvoError, salvoVersion } from 'salvo/kit/text';
import { z } from 'zod';
import type { Game } from '../game/game-document.ts';
import type { GameSheet } from '../game/game-sheet.ts';
import type { RedOutcome } from '../red/red-team.ts';
import { type ExperimentPlan, experimentPlanSchema, gamesPlanned } from './plan/experiment-plan.ts';

/** An experiment as it is stored. Its games are stored separately, each when it ends. */
export const experimentRecordSchema = z.object({
  experiment_id: textFree(z.string()),
  /** `scanner`: played by `salvo bench-scanner`, and reported as a scorecard. */
  kind: z.enum(['matrix', 'scanner']),
  name: projectName(z.string()),
  created_at: textFree(z.string()),
  finished_at: textFree(z.string()).nullable(),
  /** `stopped`: by its budget, or because its manifests are too often wrong. */
  status: z.enum(['running', 'finished', 'interrupted', 'stopped']),
  /** Why it was stopped, for people. */
  stop_reason: projectName(z.string()).nullable(),
  /** A process was killed with games under way: what they had cost by then is not known. */
  was_killed: z.boolean().optional(),
  /** `--no-code`: it executes no code of its project, also when it is resumed. Missing if it may. */
  no_code: z.boolean().optional(),
  games_planned: z.int().nonnegative(),
  salvo_version: textFree(z.string()),
  plan: experimentPlanSchema,
});

export type ExperimentRecord = z.infer<typeof experimentRecordSchema>;

/** What an experiment needs of a store. A promise resolves only when its data would survive a kill of the process. */
export interface ExperimentRecorder {
  /** The right to work on an experiment. Throws when another process has it. Who lost it can't write to it any more. */
  claim(work: Work): Promise<Lease>;
  /** Replaces the record with the same id. */
  saveExperiment(experiment: ExperimentRecord): Promise<void>;
  getExperiment(experimentId: string): Promise<ExperimentRecord | null>;
  /**
   * Replaces the game with the same id, and its sheet. What a replaced game has cost becomes a lost cost of the
   * experiment. Returns the game as it is stored, without secrets.
   */
  saveGame(game: Game, sheet?: GameSheet | null): Promise<Game>;
  /** In order of their ids, read as they are consumed. */
  games(experimentId: string): AsyncIterable<Game>;
  /** Keeps code that was paid for. Resolves to false when the code must not be stored unredacted. */
  saveCode(experimentId: string, codeKey: string, outcome: RedOutcome): Promise<boolean>;
  getCode(experimentId: string, codeKey: string): Promise<RedOutcome | null>;
  /** Adds what was paid for a game that is not stored. Also for who has lost the right to write. Once for each id. */
  addLostCost(experimentId: string, lost: { id: string; usd: number }): Promise<void>;
  /** What was paid for games that are not stored, or were replaced, as far as it is known. */
  lostCost(experimentId: string): Promise<number>;
}

/** The record of an experiment that begins now, in this process. */
export function newExperiment(plan: ExperimentPlan, kind: ExperimentRecord['kind'] = 'matrix'): ExperimentRecord {
  return {
    experiment_id: newId(),
    kind,
    name: plan.name,
    created_at: new Date().toISOString(),
    finished_at: null,
    status: 'running',
    stop_reason: null,
    ...(isAllCodeRefused() && { no_code: true }),
    games_planned: gamesPlanned(plan),
    salvo_version: salvoVersion(),
    plan,
  };
}

/** Another version may make different code from the same seed, or score it differently: the games would not compare. */
export function refuseOtherVersion({ experiment_id, salvo_version }: ExperimentRecord, version: string): void {
  if (salvo_version === version) return;
  throw new SalvoError(
    'VERSION_DIFFERS',
    `Experiment ${experiment_id} was started with Salvo ${salvo_version}, and this is ${version}: its games would not compare. Resume it with that version, or start a new experiment; \`salvo experiment --show\` shows the stored games.`,
  );
}

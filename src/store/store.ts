import type { ExperimentRecord } from '../arena/experiment/experiment-record.ts';
import type { Game } from '../arena/game/game-document.ts';
import type { RedOutcome } from '../arena/red/red-team.ts';
import type { CalibrationRecord } from '../judge/calibration/calibration-record.ts';
import type { RunChange, RunRecord, RunScenario, StoredTrial } from '../run/run-record.ts';
import type { Trace } from '../trace/trace.ts';

/** A line of a list of runs: the record without scenario snapshots. */
export interface RunListing extends Omit<RunRecord, 'scenarios'> {
  scenarios: Omit<RunScenario, 'scenario'>[];
}

/**
 * Where runs, trials, traces, calibrations of judges, experiments and their games are kept. Implementations must pass `storeContract` (store-contract.ts).
 * Every method is one transaction: after a kill at any moment the store holds all of a call's effect or none.
 */
export interface Store {
  createRun(run: RunRecord): Promise<void>;
  updateRun(runId: string, change: RunChange): Promise<void>;
  getRun(runId: string): Promise<RunRecord | null>;
  /** Newest first. */
  listRuns(options?: { limit?: number }): Promise<RunListing[]>;
  /** Ids that begin with `prefix`, newest run first, at most `limit`. */
  findRunIds(prefix: string, limit: number): Promise<string[]>;

  /** Content-addressed: the same trace gets the same id and is stored once. */
  saveTrace(trace: Trace): Promise<string>;
  getTrace(traceId: string): Promise<Trace | null>;
  findTraceIds(prefix: string, limit: number): Promise<string[]>;
  /** The trial a trace belongs to, with its run; the newest when there are several. */
  findTrialOfTrace(traceId: string): Promise<StoredTrial | null>;

  /** Replaces the trial with the same run, scenario and number. */
  saveTrial(trial: StoredTrial): Promise<void>;
  /** In order of scenario and trial number, read as they are consumed. */
  trials(runId: string, options?: { scenarioIndex?: number }): AsyncIterable<StoredTrial>;

  /** Replaces the earlier calibration of the same judge. */
  saveCalibration(record: CalibrationRecord): Promise<void>;
  getCalibration(judgeHash: string): Promise<CalibrationRecord | null>;

  /** Replaces the experiment with the same id. */
  saveExperiment(experiment: ExperimentRecord): Promise<void>;
  /** The same, unless `refuse` throws on what is stored; nothing is written between the look and the write. */
  claimExperiment(experiment: ExperimentRecord, refuse: (stored: ExperimentRecord) => void): Promise<void>;
  getExperiment(experimentId: string): Promise<ExperimentRecord | null>;
  /** Newest first. */
  listExperiments(options?: { limit?: number }): Promise<ExperimentRecord[]>;
  /** Ids that begin with `prefix`, newest first, at most `limit`. */
  findExperimentIds(prefix: string, limit: number): Promise<string[]>;
  /** Replaces the game with the same id. Refused unless the game belongs to an experiment that is stored. */
  saveGame(game: Game): Promise<void>;
  /** In order of their ids, read as they are consumed. */
  games(experimentId: string): AsyncIterable<Game>;
  /** Code that a model wrote, for games that are still to be played on it. False when it may not be kept as it is. */
  saveCode(experimentId: string, codeKey: string, outcome: RedOutcome): Promise<boolean>;
  getCode(experimentId: string, codeKey: string): Promise<RedOutcome | null>;

  close(): Promise<void>;
}

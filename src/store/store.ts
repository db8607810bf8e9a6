import type { ExperimentRecord, ExperimentRecorder } from '../arena/experiment/experiment-record.ts';
import type { CalibrationRecord } from '../judge/calibration/calibration-record.ts';
import type { HumanLabel } from '../judge/calibration/human-label.ts';
import type { Holder, Work } from '../queue/lease.ts';
import type { RunRecord, RunRecorder, RunScenario, StoredTrial, TrialOutcome } from '../run/run-record.ts';

/** A line of a list of runs: the record without scenario snapshots. */
export interface RunListing extends Omit<RunRecord, 'scenarios'> {
  scenarios: Omit<RunScenario, 'scenario'>[];
}

/** Which labels: those of one trace, or all. */
export interface LabelQuery {
  traceId?: string | undefined;
}

/**
 * Where runs, trials, traces, labels, calibrations of judges, experiments and games are stored. Every implementation must pass
 * `storeContract`. Every method is one transaction: after a kill at any moment the store holds all of a call's effect
 * or none. A trace's id is its content; a trial replaces the one with the same run, scenario, case and number; a game is
 * refused unless its experiment is stored.
 */
export interface Store extends RunRecorder, ExperimentRecorder {
  /** The process that works on it, as far as can be told; null if there is none. */
  holderOf(work: Work): Promise<Holder | null>;

  /**
   * The newest first, in the order of their creation, whatever the clock said. `complete`: only those that finished.
   * `whole`: no shards, whose trials are also in the run that they were merged to. `cases`: summaries have their cases;
   * otherwise these lists are empty. `commit`: only those that finished at this commit of the project without
   * uncommitted changes, and are no shards.
   */
  listRuns(options?: {
    limit?: number;
    complete?: boolean;
    whole?: boolean;
    cases?: boolean;
    commit?: string;
  }): Promise<RunListing[]>;
  /** Ids that begin with `prefix`, newest run first, at most `limit`. */
  findRunIds(prefix: string, limit: number): Promise<string[]>;
  findTraceIds(prefix: string, limit: number): Promise<string[]>;
  /** The trial of a trace, with its run; the newest when there are several. */
  findTrialOfTrace(traceId: string): Promise<StoredTrial | null>;
  /** In order of scenario, case and trial number, read as they are consumed. `caseName` needs a `scenarioIndex`. */
  trials(runId: string, options?: { scenarioIndex?: number; caseName?: string }): AsyncIterable<StoredTrial>;

  /** A single trial; null if it has not run. */
  getTrial(runId: string, place: { scenario: number; case: number; trial: number }): Promise<StoredTrial | null>;
  /** How the trials of a run ended, in the same order: a page of them. Far cheaper than the trials. */
  trialOutcomes(
    runId: string,
    page: { scenarioIndex?: number | undefined; offset: number; limit: number },
  ): Promise<TrialOutcome[]>;
  /** Another text after every change that any process made. */
  version(): Promise<string>;

  /** Replaces the earlier calibration of the same judge. */
  saveCalibration(record: CalibrationRecord): Promise<void>;
  getCalibration(judgeHash: string): Promise<CalibrationRecord | null>;
  /** Of all judges, newest first. */
  listCalibrations(): Promise<CalibrationRecord[]>;

  /** Replaces what the same person said of the same thing before. */
  saveLabel(label: HumanLabel): Promise<HumanLabel>;
  /** Does nothing if there is no such label. */
  deleteLabel(labelId: string): Promise<void>;
  /** In the order of their creation. */
  listLabels(query?: LabelQuery): Promise<HumanLabel[]>;

  /** The newest first, in the order of their creation. */
  listExperiments(options?: { limit?: number }): Promise<ExperimentRecord[]>;
  /** Ids that begin with `prefix`, newest first, at most `limit`. */
  findExperimentIds(prefix: string, limit: number): Promise<string[]>;

  close(): Promise<void>;
}

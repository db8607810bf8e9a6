import type { LimitTable } from '../models/budget/shared-limits.ts';
import type { ChangedResults } from '../queue/coordinate.ts';
import type { Work, Worker } from '../queue/lease.ts';
import type { JobLease, WorkQueue } from '../queue/work-queue.ts';
import type {
  RunRecord,
  RunRecorder,
  RunScenario,
  StoredTrial,
  TrialCost,
  TrialHead,
  TrialOutcome,
} from '../run/record/run-record.ts';
import type { Trace } from '../trace/trace.ts';
import type { ScenarioFigures } from './stored-documents.ts';
import type { TableStore, WorkModule } from './table-module.ts';

/** A line of a list of runs: the record without scenario snapshots. */
export interface RunListing extends Omit<RunRecord, 'scenarios'> {
  scenarios: Omit<RunScenario, 'scenario'>[];
}

/** A run in a list of thousands: a few figures of its summaries. */
export interface RunFigures
  extends Pick<RunRecord, 'run_id' | 'created_at' | 'finished_at' | 'status' | 'verdict' | 'reeval_of'> {
  seed: number | null;
  scenarios: ScenarioFigures[];
}

/** A row of a table, with its documents as values. */
export interface StoredRow {
  table: string;
  row: Record<string, unknown>;
}

/** A run whose documents can't be read: what is known without them, as it is stored. */
export interface UnreadableRun extends Pick<RunRecord, 'run_id' | 'created_at' | 'finished_at' | 'salvo_version'> {
  status: string;
  /** What is wrong with it. */
  why: string;
}

export type OnUnreadable = (run: UnreadableRun) => void;

/** The trials of a run change without a change of the run itself only while its status is `running`. */
export interface RunRevision extends Pick<RunRecord, 'run_id' | 'status'> {
  revision: number;
}

/** What a worker writes for a job. Throws a `SalvoError` `JOB_LOST`, and writes nothing, if the job is another's by now. */
export interface JobRecorder
  extends Pick<RunRecorder, 'getTrace' | 'saveTrace' | 'saveTrial' | 'saveFinished'>,
    TableStore {
  /**
   * The trial as it is stored, like `Store.getTrial`. What `addEarlierCost` adds after this call is kept by `saveTrial`,
   * which replaces `earlier_cost` otherwise.
   */
  getTrial: Store['getTrial'];
}

/** What a store offers if other processes can do the work. */
export interface WorkerAccess {
  queue: WorkQueue;
  /** Where its members keep limits together. */
  limits: LimitTable;
  /** `saveTrial` with a result, and `saveFinished`, also end the job, in the same transaction. */
  ofJob(lease: JobLease): JobRecorder;
  /**
   * Adds what an attempt cost that was lost to `earlier_cost` of its trial, also if nothing else is stored of it yet.
   * `unlessJudged`: nothing is added if the trial has a result, and false is returned.
   */
  addEarlierCost(
    trial: Pick<StoredTrial, 'run_id' | 'scenario_index' | 'case_index' | 'case' | 'trial_number'>,
    cost: TrialCost,
    options?: { unlessJudged?: boolean },
  ): Promise<boolean>;
  /** Where changes have got to by now. */
  cursor(): Promise<string>;
  /** What changed since a cursor: a page of it, none if nothing did. The same may come twice, and none is missed. */
  changedTrials(runId: string, cursor: string): Promise<ChangedResults<StoredTrial>>;
}

/** What is stored, for the person who looks after the store. */
export interface StoreDescription {
  /** Which program keeps it, with its version. */
  server: string;
  /** The file or the database. */
  place: string;
  schema_version: number;
  bytes: number;
  /** `bytes` is null where it is not known for each table. */
  tables: { name: string; rows: number; bytes: number | null }[];
  /** What processes work on at this moment. */
  under_way: Work[];
}

/** Takes over runs of another store, each as a whole or not at all. */
export interface StoreImports {
  /** False, and nothing is done, if the run is there already. `trials` may be read more than once. */
  importRun(run: RunRecord, trials: () => AsyncIterable<{ trial: StoredTrial; trace: Trace | null }>): Promise<boolean>;
}

/** What was copied from another store. */
export interface ImportedStore {
  /** By kind: runs, and what packages store. */
  work: Record<string, ImportCount>;
  labels: number;
  calibrations: number;
  /** Of judges. */
  comparisons: number;
  /** The ids of labels and comparisons, and the judges of calibrations, that are left out because they can't be read. */
  unreadable: string[];
  place: string;
  /** It was stopped: importing again goes on. */
  isInterrupted: boolean;
}

/** `present`: there before, and left as it is. `underWay`: a process works on it, so it is left out. */
export interface ImportCount {
  imported: number;
  present: number;
  underWay: number;
  /** The ids of those that are left out because something of them can't be read. */
  unreadable: string[];
}

/** Runs with their scenarios. */
export interface RunTables extends Pick<RunRecorder, 'createRun' | 'updateRun' | 'getRun'> {
  /**
   * The newest first, in the order of their creation, whatever the clock said. `complete`: only those that finished.
   * `whole`: no shards, whose trials are also in the run that they were merged to. `cases`: summaries have their cases;
   * otherwise these lists are empty. `commit`: only those that finished at this commit of the project without
   * uncommitted changes, and are no shards. `runIds`: these runs, as far as they are there, whatever else is asked for.
   * Runs that can't be read are left out, and passed to `onUnreadable`.
   */
  listRuns(options?: {
    limit?: number;
    complete?: boolean;
    whole?: boolean;
    cases?: boolean;
    commit?: string;
    runIds?: readonly string[];
    onUnreadable?: OnUnreadable;
  }): Promise<RunListing[]>;
  /** The figures of these runs, as far as they are there, in the same order. Far cheaper than the list. */
  runFigures(runIds: readonly string[], onUnreadable?: OnUnreadable): Promise<RunFigures[]>;
  /** All runs in the same order, each with a number that increases whenever it changes. Far cheaper than the list. */
  runRevisions(): Promise<RunRevision[]>;
  /** Ids that begin with `prefix`, newest run first, at most `limit`. */
  findRunIds(prefix: string, limit: number): Promise<string[]>;
  /**
   * From now on the run is in no list, and neither it nor its trials are found. Refused while a process works on it.
   * `restoreRun` brings it back until it is purged.
   */
  deleteRun(runId: string): Promise<void>;
  restoreRun(runId: string): Promise<void>;
}

/**
 * Where runs, trials and traces are stored, and what there are table modules for. Every implementation must pass
 * `storeContract`. Every method is one transaction: after a kill at any moment the store holds all of a call's effect or
 * none. A trace's id is its content; a trial replaces the one with the same run, scenario, case and number.
 */
export interface Store extends RunRecorder, RunTables, TableStore {
  /** Null if only this process works for it. */
  readonly workerAccess: WorkerAccess | null;
  /** Null if nothing can be imported into it. */
  readonly imports: StoreImports | null;
  describe(): Promise<StoreDescription>;
  /** The process that works on it, as far as can be told; null if there is none. */
  holderOf(work: Work): Promise<Worker | null>;
  /**
   * Asks the process that works on it to stop: the first time after what is under way, the second time at once. It
   * learns of it within a tenth of the time of a lease. False if no process works on it.
   */
  askToStop(work: Work): Promise<boolean>;

  /** Everything that is stored of a run, also if it can't be read. */
  storedRows(runId: string): AsyncIterable<StoredRow>;
  /** Removes runs that were deleted so long ago for good, with everything that only they refer to. */
  purgeDeletedRuns(olderThanSeconds: number): Promise<void>;
  /**
   * Removes runs, or work of a module, for good, with everything that only they refer to. Those that a process works on
   * stay. Returns how many were removed.
   */
  removeForGood(ids: readonly string[], module?: WorkModule): Promise<number>;
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
  /** Where all trials of a run are and how they ended, in the same order. No result is read for it. */
  trialHeads(runId: string): AsyncIterable<TrialHead>;
  /** Another text after every change that any process made. */
  version(): Promise<string>;

  close(): Promise<void>;
}

import type { Scenario } from '../scenario/scenario-schema.ts';
import type { Trace } from '../trace/trace.ts';
import type { ScenarioSummary, Verdict } from '../trial/run-document.ts';
import type { TrialResult } from '../trial/trial-result.ts';

/** One scenario of a run, as it stood when the run began. */
export interface RunScenario {
  name: string;
  /** Relative to the project root, with forward slashes. */
  file: string;
  adapter: string;
  model: string;
  scenario_hash: string;
  scenario: Scenario;
  /** Null until the run ends. */
  summary: ScenarioSummary | null;
}

/** What was asked for, so that `--resume` and `report` need nothing else. */
export interface RunOptions {
  trials: number;
  seed: number;
  record_only: boolean;
  allow_unscored: boolean;
  min_pass_rate: number | null;
}

export interface RunRecord {
  run_id: string;
  created_at: string;
  finished_at: string | null;
  status: 'running' | 'finished' | 'interrupted';
  verdict: Verdict | null;
  exit_code: number | null;
  salvo_version: string;
  /** The run whose traces were judged again, when this run called no agent of its own. */
  reeval_of: string | null;
  options: RunOptions;
  scenarios: RunScenario[];
  /** The process that is at work on it, to refuse a second one. */
  owner: { pid: number; host: string } | null;
}

export type RunChange = Partial<Pick<RunRecord, 'finished_at' | 'status' | 'verdict' | 'exit_code' | 'owner'>> & {
  /** By position in `scenarios`. */
  summaries?: ScenarioSummary[];
};

/** A trial in the store. `result` is null while its trace is stored but not evaluated yet. */
export interface StoredTrial {
  run_id: string;
  /** Position in the run's `scenarios`. */
  scenario_index: number;
  trial_number: number;
  trace_id: string | null;
  result: TrialResult | null;
}

/** A line of a list of runs: the record without scenario snapshots. */
export interface RunListing extends Omit<RunRecord, 'scenarios'> {
  scenarios: Omit<RunScenario, 'scenario'>[];
}

/**
 * Where runs, trials and traces are kept. Implementations must pass `storeContract` (store-contract.ts).
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

  close(): Promise<void>;
}

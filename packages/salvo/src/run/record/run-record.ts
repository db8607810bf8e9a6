import type { TrialStatus } from '../../evaluators/eval-result.ts';
import type { DriftCheck } from '../../judge/calibration/drift/drift-check.ts';
import type { Lease, Work } from '../../queue/lease.ts';
import type { FaultVariant, Scenario } from '../../scenario/schema/scenario-schema.ts';
import type { Fault } from '../../scenario/schema/tool-schema.ts';
import type { AgentCostFields, JudgeCostFields, UserCostFields } from '../../trace/cost-fields.ts';
import type { Trace } from '../../trace/trace.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import type { ScenarioSummary, Verdict } from './run-document.ts';

/** One scenario of a run, as it was when the run began. */
export interface RunScenario {
  name: string;
  /** Relative to the project root, with forward slashes. */
  file: string;
  adapter: string;
  model: string;
  scenario_hash: string;
  /** With the `min_pass_rate` and `min_score` of the project where its file has none. */
  scenario: Scenario;
  /** Null until the run ends. */
  summary: ScenarioSummary | null;
}

/** The options of the run, as far as `--resume` and `report` need them. */
export interface RunOptions {
  /** How many trials each case has; null: as its row or scenario says. */
  trials: number | null;
  /** By position of the scenario: the cases that belong to the run, or null for all. Null: all cases of all scenarios. */
  cases: (number[] | null)[] | null;
  /** Null: the `seed` of each scenario. */
  seed: number | null;
  record_only: boolean;
  allow_unscored: boolean;
  /** Null: the `min_pass_rate` and `min_score` of each scenario's snapshot. */
  min_pass_rate: number | null;
  min_score: number | null;
  /** The part of the trials that belongs to this run; missing for all. */
  shard?: Shard | undefined;
  /** Files of assertions as they were when the run began: a hash by the path from the root. Missing if there are none. */
  assertion_files?: Record<string, string> | undefined;
  /** The ids of runs that judges compare answers with, by what assertions call them. Missing if there are none. */
  compared_runs?: Readonly<Record<string, string>> | undefined;
  /** What the agents were made of when the run began: hashes of files and versions of packages. Missing if unknown. */
  agent_files?: Record<string, string> | undefined;
  /** What changed about the agents while the run was made, each a part of a sentence; missing if nothing did. */
  mixed?: string[] | undefined;
  /** `--no-code`: the run executes no code of its project, also when it is resumed. Missing if it may. */
  no_code?: boolean | undefined;
  /** `--look`: a scenario without assertions is only recorded, also when the run is resumed. Missing if not. */
  look?: boolean | undefined;
  /** `--early-stop`, also when the run is resumed. Missing if all trials are run. */
  early_stop?: boolean | undefined;
  /** Whether the calls of models were recorded or replayed, also when the run is resumed. Missing if neither. */
  cassette?: CassetteOfRun | undefined;
  /**
   * The same for calls of tools: by the file of the cassette, relative to the project root. `record_again`: the file had
   * answers of an earlier run. Missing if neither.
   */
  tool_cassettes?: Record<string, 'record' | 'record_again' | 'replay'> | undefined;
  /** The versions of Salvo that worked on the run, oldest first. Missing if there was only one. */
  salvo_versions?: string[] | undefined;
  /** Of imported conversations: the files. No agent ran, so the run cannot be resumed or run again. */
  imported?: { files: string[] } | undefined;
  /** Faults in tools, besides those that scenarios have themselves. Missing if there are none. */
  faults?: FaultsOfRun | undefined;
  /** The baseline that the run is compared with when it ends; missing if there is none. */
  against?: AgainstBaseline | undefined;
  /** `--check-judge`: whether each judge still says what it said in its calibration. Missing if it was not checked. */
  drift_checks?: DriftCheck[] | undefined;
}

/** `--faults`, and the variants of `salvo chaos`. */
export interface FaultsOfRun {
  /** The faults of the file; missing if there is none. */
  list?: Fault[] | undefined;
  /** Of `salvo chaos`: by position of the scenario. */
  variants?: (FaultVariant | null)[] | undefined;
}

/** One of the parts of equal size into which the trials of a run are divided. `index` begins at 1. */
export interface Shard {
  index: number;
  count: number;
}

export interface CassetteOfRun {
  mode: 'record' | 'replay';
  /** Relative to the project root, with forward slashes; null: those of the adapters. */
  file: string | null;
  /** Nothing was recorded, because no call was answered. */
  empty?: boolean | undefined;
}

/** `--against`, `--max-drop` and `--undecided`. */
interface AgainstBaseline {
  /** A run, a file or `git:REF`. */
  source: string;
  /** A drop of the pass rate up to this is tolerated; null for none. */
  max_drop: number | null;
  /** How scenarios are judged that the comparison does not decide: by what was observed (also if missing), or not at all. */
  undecided?: 'observed' | 'fail' | undefined;
  /** Which *worse* fails the run: of all scenarios together, of each, or both (also if missing). */
  gate?: 'overall' | 'each' | 'either' | undefined;
  /** `--until decided`; missing if the number of trials is fixed. */
  until?: UntilDecided | undefined;
  /** In runs of earlier versions: positions of scenarios without a `min_pass_rate`, whose snapshot has one of 0. */
  instead_of_gates?: number[] | undefined;
}

/** A run that goes on until its comparison with the baseline is decided. */
export interface UntilDecided {
  /** How many trials of each case were planned when this comparison began. */
  planned: number;
  /** What the comparison belongs to: the agent, the baseline and the cases. And the baseline alone. */
  process: string;
  baseline: string;
  /** How many comparisons of this kind were made with this baseline so far, this one included. */
  agents: number;
  /** The trials of earlier runs of the same comparison, which it continues. */
  earlier: EarlierResults[];
}

/** The outcomes of earlier runs of a scenario, by case: 1 passed, 0 failed, - could not be scored. */
export interface EarlierResults {
  name: string;
  file: string;
  adapter: string;
  model: string;
  cases: { case: string | null; row: string | null; trials: string; identical?: true | undefined }[];
}

/** A run as it is stored. */
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
  /** The commit of the project and whether tracked files differed from it; null if unknown, or if it changed meanwhile. */
  git: { commit: string; dirty: boolean } | null;
}

export type RunChange = Partial<
  Pick<RunRecord, 'finished_at' | 'status' | 'verdict' | 'exit_code' | 'options' | 'git'>
> & {
  /** By position in `scenarios`. */
  summaries?: ScenarioSummary[];
};

/** What was paid for the agent, for judges and for a simulated user. */
export type TrialCost = AgentCostFields & JudgeCostFields & UserCostFields;

/** A trial as it is stored. `result` is null while its trace is stored but not evaluated yet. */
export interface StoredTrial {
  run_id: string;
  /** Position in the run's `scenarios`. */
  scenario_index: number;
  /** Position of the case among the rows of the scenario's data; 0 without data. */
  case_index: number;
  /** The name of the case; null without data. */
  case: string | null;
  trial_number: number;
  trace_id: string | null;
  result: TrialResult | null;
  /**
   * What earlier attempts of this trial cost: an agent that got no answer, votes that could not be read. Null when
   * there was none. The cost of the trace and the result is not in it.
   */
  earlier_cost: TrialCost | null;
}

/** How a trial ended, without its texts. All but the key is null while it has no result. */
export interface TrialOutcome extends TrialCost, Omit<StoredTrial, 'run_id' | 'result' | 'earlier_cost'> {
  status: TrialStatus | null;
  score: number | null;
  latency_seconds: number | null;
  retries: number;
  /** In the order of the scenario; the score is null if the assertion could not be evaluated. */
  assertions: { id: string; score: number | null; passed: boolean }[];
}

/** Where a trial is and how it ended. */
export type TrialHead = Pick<
  TrialOutcome,
  'scenario_index' | 'case_index' | 'case' | 'trial_number' | 'trace_id' | 'status'
>;

/** The trials of one scenario of a run, of one case of it, or a single one of them. */
export interface TrialsOfRun {
  scenario_index: number;
  case_index?: number | undefined;
  trial_number?: number | undefined;
}

/** What a run needs of a store. A promise is resolved only when the data would survive the end of the process. */
export interface RunRecorder {
  /**
   * The right to work on a run. Throws when another process has it. A process that lost it can't write to the run any
   * more.
   */
  claim(work: Work): Promise<Lease>;
  createRun(run: RunRecord): Promise<void>;
  updateRun(runId: string, change: RunChange): Promise<void>;
  getRun(runId: string): Promise<RunRecord | null>;
  /**
   * Returns the id of the trace. With `trial`, the trial is stored in the same transaction, as one without a result: no
   * kill can separate a trace that was paid for from its trial.
   */
  saveTrace(trace: Trace, trial?: Omit<StoredTrial, 'trace_id' | 'result'>): Promise<string>;
  getTrace(traceId: string): Promise<Trace | null>;
  /** Returns the trial as it is stored, without secrets. */
  saveTrial(trial: StoredTrial): Promise<StoredTrial>;
  /**
   * Stores a trace and its finished trial in one write. Returns the trial as it is stored, with the id of the trace.
   * Missing if the recorder writes one after the other.
   */
  saveFinished?: ((trace: Trace, trial: Omit<StoredTrial, 'trace_id'>) => Promise<StoredTrial>) | undefined;
  trials(runId: string, options?: { scenarioIndex?: number }): AsyncIterable<StoredTrial>;
}

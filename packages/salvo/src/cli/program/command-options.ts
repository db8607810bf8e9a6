import type { CompareRunsOptions } from '../../app/compare/compare.ts';
import type { ScenarioFromTraceOptions } from '../../app/from-trace/scenario-from-trace.ts';
import type { ImportTracesOptions } from '../../app/imports/import-traces.ts';
import type { CalibrateProjectJudgeOptions } from '../../app/judges/calibrate-project-judge.ts';
import type { CheckProjectJudgeOptions } from '../../app/judges/check-project-judge.ts';
import type { RankRunsOptions } from '../../app/judges/rank-runs.ts';
import type { MigrateOptions } from '../../app/migrate/migrate-project.ts';
import type { MutateOptions } from '../../app/mutate/mutate-run.ts';
import type { NewProject } from '../../app/project/project-files.ts';
import type { ReevaluateOptions } from '../../app/results/reevaluate.ts';
import type { ReplayOptions } from '../../app/results/replay-trial.ts';
import type { ChaosOptions } from '../../app/runs/chaos.ts';
import type { MergePartsOptions } from '../../app/runs/merge-parts.ts';
import type { PlanOptions } from '../../app/runs/plan.ts';
import type { PerformRunOptions } from '../../app/runs/run-options.ts';
import type { Shard } from '../../run/record/run-record.ts';
import type { ExportHtmlOptions } from '../../server/export/export-html.ts';
import type { ViewerOptions } from '../../server/serve-viewer.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ReportTargets } from '../terminal/write-reports.ts';

/** The options of a use case that a command line can give. The rest comes from the terminal. */
export type Given<Options> = Omit<Options, 'cwd' | 'env' | 'patience' | 'stop' | 'abort' | 'signal' | 'onEvent'>;

/** Commands that take long, and show how far they are. */
export interface LongCommandOptions {
  quiet: boolean;
}

export interface RunCommandOptions
  extends Given<Omit<PerformRunOptions, 'tags' | 'shard' | 'workers'>>,
    ReportTargets,
    LongCommandOptions,
    WorkerUseOptions {
  tag: string[];
  estimate: boolean;
  /** `auto`: as the variables of the CI system say. */
  shard?: Shard | 'auto' | undefined;
  /** The folder for the part of the shard. */
  out?: string | undefined;
  watch: boolean;
  /** Also print the input, the outputs and the score of each case. */
  showOutputs: boolean;
}

export interface ChaosCommandOptions
  extends Given<Omit<ChaosOptions, 'tags' | 'shard' | 'workers'>>,
    LongCommandOptions {
  tag: string[];
  estimate: boolean;
  /** A stored run, whose doses are printed. */
  show?: string | undefined;
  json: boolean;
  markdown?: string | undefined;
  csv?: string | undefined;
}

/** Commands that wait for a database that can't be reached when they start. */
export interface PatientCommandOptions {
  /** Seconds. */
  wait?: number | undefined;
}

/** How a run or an experiment uses workers. */
export interface WorkerUseOptions extends PatientCommandOptions {
  labels?: string[] | undefined;
  localWorkers?: number | undefined;
  detach?: boolean | undefined;
}

export interface MergeCommandOptions extends Given<MergePartsOptions>, ReportTargets {}

export interface ViewCommandOptions extends ViewerOptions {
  /** What to open first: a run. */
  target?: string | undefined;
  /** Whether to open a browser. */
  open: boolean;
}

export interface ExportCommandOptions {
  what: string[];
  /** Where the JSON lines go; standard output if not given. */
  out?: string | undefined;
  /** An HTML file instead of JSON lines. */
  html?: string | undefined;
  /** The rows as they are stored, also of a run that can't be read. */
  raw: boolean;
  /** Lines to be labelled: for a judge by the id of its assertion; true is the only judge of each scenario. */
  toLabel?: string | true | undefined;
  /** A form of others, and where it goes; true is standard output. */
  otel?: string | true | undefined;
  openai?: string | true | undefined;
  atif?: string | true | undefined;
  langfuse?: string | true | undefined;
  trials: ExportHtmlOptions['trials'];
}

export interface ImportCommandOptions
  extends Given<Omit<ImportTracesOptions, 'input' | 'onProgress'>>,
    LongCommandOptions {
  json: boolean;
}

export interface MigrateCommandOptions extends Given<MigrateOptions> {
  json: boolean;
}

export interface ReportCommandOptions extends ReportTargets {
  run: string;
  history: boolean;
  limit: number;
}

export interface CompareCommandOptions extends Given<CompareRunsOptions> {
  json: boolean;
  markdown?: string | undefined;
}

export interface BaselineCommandOptions {
  run: string;
  out?: string | undefined;
  force: boolean;
}

export interface PlanCommandOptions extends Given<PlanOptions> {
  json: boolean;
}

export interface ReplayCommandOptions extends Given<ReplayOptions> {
  full: boolean;
  json: boolean;
}

export interface ReevalCommandOptions extends Given<ReevaluateOptions>, LongCommandOptions {
  estimate: boolean;
  json: boolean;
}

export interface MutateCommandOptions extends Given<MutateOptions>, LongCommandOptions {
  /** List the operators instead. */
  operators: boolean;
  full: boolean;
  json: boolean;
}

export interface JudgeCheckCommandOptions extends Given<CheckProjectJudgeOptions>, LongCommandOptions {
  json: boolean;
}

export interface RankCommandOptions extends Given<RankRunsOptions>, LongCommandOptions {
  json: boolean;
}

export interface CalibrateCommandOptions extends Given<CalibrateProjectJudgeOptions>, LongCommandOptions {
  /** Remove the calibration of this judge instead; true: of the only one. */
  forget?: true | string | undefined;
  /** Judges that are compared are also tested with canaries. */
  canaries?: boolean | undefined;
  /** How many answers the biases of judges that are compared are measured on. */
  biases?: number | undefined;
  /** Choose `sure` for the stages of a cascade, for an agreement with people or a cost. */
  cascade?: boolean | undefined;
  agreement?: number | undefined;
  cost?: number | undefined;
  json: boolean;
}

export interface ScenarioCommandOptions extends Given<Omit<ScenarioFromTraceOptions, 'trace'>> {
  /** Overwrite a file that exists. */
  force: boolean;
  /** Print the file instead of writing it. */
  dryRun: boolean;
}

export interface ValidateCommandOptions {
  files: string[];
  format: 'text' | 'json' | 'github';
}

export interface SchemaCommandOptions {
  which: string;
  out?: string | undefined;
}

export const DB_ACTIONS = ['migrate', 'status', 'import', 'prune'] as const;

export interface DbCommandOptions {
  action: (typeof DB_ACTIONS)[number];
  /** For `import`. */
  file?: string | undefined;
  /** For `prune`: milliseconds. */
  olderThan?: number | undefined;
  /** For `prune`: only what can't be read. */
  unreadable: boolean;
  dryRun: boolean;
  json: boolean;
  quiet: boolean;
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export type CommandFunction<Options> = (options: Options, terminal: Terminal) => Promise<number>;

/** The commands. The program knows only these signatures, so that parsing is tested without running them. */
export interface Commands {
  init: CommandFunction<NewProject & { dir: string }>;
  validate: CommandFunction<ValidateCommandOptions>;
  scenario: CommandFunction<ScenarioCommandOptions>;
  run: CommandFunction<RunCommandOptions>;
  merge: CommandFunction<MergeCommandOptions>;
  chaos: CommandFunction<ChaosCommandOptions>;
  report: CommandFunction<ReportCommandOptions>;
  plan: CommandFunction<PlanCommandOptions>;
  compare: CommandFunction<CompareCommandOptions>;
  baseline: CommandFunction<BaselineCommandOptions>;
  db: CommandFunction<DbCommandOptions>;
  view: CommandFunction<ViewCommandOptions>;
  replay: CommandFunction<ReplayCommandOptions>;
  reeval: CommandFunction<ReevalCommandOptions>;
  mutate: CommandFunction<MutateCommandOptions>;
  judgeCheck: CommandFunction<JudgeCheckCommandOptions>;
  rank: CommandFunction<RankCommandOptions>;
  calibrate: CommandFunction<CalibrateCommandOptions>;
  export: CommandFunction<ExportCommandOptions>;
  import: CommandFunction<ImportCommandOptions>;
  migrate: CommandFunction<MigrateCommandOptions>;
  schema: CommandFunction<SchemaCommandOptions>;
  adapters: CommandFunction<{ json: boolean }>;
  demo: CommandFunction<{ keep?: string | undefined; full: boolean }>;
  completion: CommandFunction<{ shell: Shell }>;
}

/** What a definition of commands needs. */
export interface CommandParts {
  /** What `salvo schema` describes besides files and documents of Salvo itself. */
  schemas: readonly string[];
  commands: Commands;
  terminal: Terminal;
  exit: (code: number) => void;
}

import type { BenchScannerOptions } from '../../../../salvo-arena/src/app/experiments/bench-scanner.ts';
import type { ExperimentOptions } from '../../../../salvo-arena/src/app/experiments/run-experiment.ts';
import type { PlayBlueOptions } from '../../../../salvo-arena/src/app/games/play-blue.ts';
import type { NamedGameOptions } from '../../../../salvo-arena/src/app/games/play-game.ts';
import type { PlayRedOptions } from '../../../../salvo-arena/src/app/games/play-red.ts';
import type { ScanCodeOptions } from '../../../../salvo-arena/src/app/games/scan-code.ts';
import type { ScoreFilesOptions } from '../../../../salvo-arena/src/app/scoring/score-files.ts';
import type { ExperimentTargets } from '../../../../salvo-arena/src/cli/terminal/write-experiment.ts';
import type { FindingsFormat } from '../../../../salvo-arena/src/match/importers/findings-format.ts';
import type { CompareRunsOptions } from '../../app/compare/compare.ts';
import type { DocumentKind } from '../../app/documents/document-kinds.ts';
import type { CalibrateProjectJudgeOptions } from '../../app/judges/calibrate-project-judge.ts';
import type { CheckProjectJudgeOptions } from '../../app/judges/check-project-judge.ts';
import type { FileFormat } from '../../app/project/file-formats.ts';
import type { ReevaluateOptions } from '../../app/results/reevaluate.ts';
import type { ReplayOptions } from '../../app/results/replay-trial.ts';
import type { MergePartsOptions } from '../../app/runs/merge-parts.ts';
import type { PlanOptions } from '../../app/runs/plan.ts';
import type { PerformRunOptions } from '../../app/runs/run.ts';
import type { Shard } from '../../run/record/run-record.ts';
import type { ExportHtmlOptions } from '../../server/export/export-html.ts';
import type { ViewerOptions } from '../../server/serve-viewer.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ReportTargets } from '../terminal/write-reports.ts';

/** The options of a use case that a command line can give. The rest comes from the terminal. */
type Given<Options> = Omit<Options, 'cwd' | 'env' | 'patience' | 'stop' | 'abort' | 'signal' | 'onEvent'>;

/** Commands that take long, and show how far they are. */
interface LongCommandOptions {
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
}

/** Commands that wait for a database that can't be reached when they start. */
interface PatientCommandOptions {
  /** Seconds. */
  wait?: number | undefined;
}

/** How a run or an experiment uses workers. */
interface WorkerUseOptions extends PatientCommandOptions {
  labels?: string[] | undefined;
  localWorkers?: number | undefined;
  detach: boolean;
}

export interface WorkerCommandOptions extends LongCommandOptions, PatientCommandOptions {
  concurrency?: number | undefined;
  labels?: string[] | undefined;
  /** True: all code. */
  allowCode?: true | string[] | undefined;
  /** `NAME` and `NAME=HOST`. True: all variables, for all servers. */
  env?: true | string[] | undefined;
  run?: string | undefined;
  idleExitSeconds?: number | undefined;
}

export interface AttachCommandOptions extends ReportTargets, LongCommandOptions, PatientCommandOptions {
  target: string;
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
  trials: ExportHtmlOptions['trials'];
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

export interface JudgeCheckCommandOptions extends Given<CheckProjectJudgeOptions>, LongCommandOptions {
  json: boolean;
}

export interface CalibrateCommandOptions extends Given<CalibrateProjectJudgeOptions>, LongCommandOptions {
  /** Remove the calibration of this judge instead; true: of the only one. */
  forget?: true | string | undefined;
  json: boolean;
}

export interface ScoreCommandOptions extends Given<ScoreFilesOptions> {
  json: boolean;
  view: boolean;
  out?: string | undefined;
  markdown?: string | undefined;
  sarif?: string | undefined;
}

/** A Blue on the command line: a command is an option of its own there. */
export interface BlueOptions {
  blueCommand?: string | undefined;
  blueFormat?: FindingsFormat | undefined;
}

export interface GameCommandOptions
  extends Given<Omit<NamedGameOptions, 'format' | 'blue' | 'red'>>,
    BlueOptions,
    LongCommandOptions {
  red?: string | undefined;
  blue?: string | undefined;
  json: boolean;
  sarif?: string | undefined;
  view: boolean;
}

export interface ScanCommandOptions extends Given<Omit<ScanCodeOptions, 'format'>>, BlueOptions {
  json: boolean;
  sarif?: string | undefined;
  markdown?: string | undefined;
}

export interface RedCommandOptions extends Given<PlayRedOptions> {
  json: boolean;
}

export interface BlueCommandOptions extends Given<Omit<PlayBlueOptions, 'format'>>, BlueOptions {
  out?: string | undefined;
  json: boolean;
}

export interface ExperimentCommandOptions
  extends Given<Omit<ExperimentOptions, 'workers'>>,
    ExperimentTargets,
    LongCommandOptions,
    WorkerUseOptions {
  file?: string | undefined;
  resume?: string | undefined;
  show?: string | undefined;
  list: boolean;
  estimate: boolean;
}

export interface BenchScannerCommandOptions
  extends Given<Omit<BenchScannerOptions, 'workers'>>,
    Omit<ExperimentTargets, 'latex'>,
    LongCommandOptions,
    WorkerUseOptions {}

export interface ValidateCommandOptions {
  files: string[];
  format: 'text' | 'json' | 'github';
}

export interface SchemaCommandOptions {
  which: FileFormat | DocumentKind;
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

type Command<Options> = (options: Options, terminal: Terminal) => Promise<number>;

/** The commands. The program knows only these signatures, so that parsing is tested without running them. */
export interface Commands {
  init: Command<{ dir: string; force: boolean }>;
  validate: Command<ValidateCommandOptions>;
  run: Command<RunCommandOptions>;
  worker: Command<WorkerCommandOptions>;
  attach: Command<AttachCommandOptions>;
  merge: Command<MergeCommandOptions>;
  report: Command<ReportCommandOptions>;
  plan: Command<PlanCommandOptions>;
  compare: Command<CompareCommandOptions>;
  baseline: Command<BaselineCommandOptions>;
  db: Command<DbCommandOptions>;
  view: Command<ViewCommandOptions>;
  replay: Command<ReplayCommandOptions>;
  reeval: Command<ReevalCommandOptions>;
  judgeCheck: Command<JudgeCheckCommandOptions>;
  calibrate: Command<CalibrateCommandOptions>;
  score: Command<ScoreCommandOptions>;
  export: Command<ExportCommandOptions>;
  schema: Command<SchemaCommandOptions>;
  adapters: Command<{ json: boolean }>;
  demo: Command<{ keep?: string | undefined; full: boolean }>;
  completion: Command<{ shell: Shell }>;
  game: Command<GameCommandOptions>;
  play: Command<GameCommandOptions>;
  scan: Command<ScanCommandOptions>;
  red: Command<RedCommandOptions>;
  blue: Command<BlueCommandOptions>;
  tools: Command<{ json: boolean }>;
  tasks: Command<{ text: string; domain?: string | undefined; json: boolean }>;
  rules: Command<{ text: string; json: boolean }>;
  experiment: Command<ExperimentCommandOptions>;
  benchScanner: Command<BenchScannerCommandOptions>;
}

import type { BenchScannerOptions } from '../../app/bench-scanner.ts';
import type { CalibrateOptions } from '../../app/calibrate.ts';
import type { CheckJudgeOptions } from '../../app/check-judge.ts';
import type { FileFormat } from '../../app/file-formats.ts';
import type { NamedGameOptions } from '../../app/play-game.ts';
import type { ReevaluateOptions } from '../../app/reevaluate.ts';
import type { RunFilesOptions } from '../../app/run.ts';
import type { ExperimentOptions } from '../../app/run-experiment.ts';
import type { ScoreFilesOptions } from '../../app/score-files.ts';
import type { FindingsFormat } from '../../match/importers/findings-format.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ExperimentTargets } from '../terminal/write-experiment.ts';
import type { ReportTargets } from '../terminal/write-reports.ts';

/** The options of a use case that a command line can give. The rest comes from the terminal. */
type Given<Options> = Omit<Options, 'cwd' | 'env' | 'stop' | 'abort' | 'signal' | 'onEvent'>;

export interface RunCommandOptions extends Given<Omit<RunFilesOptions, 'tags'>>, ReportTargets {
  tag: string[];
  estimate: boolean;
}

export interface ReportCommandOptions extends ReportTargets {
  run: string;
  history: boolean;
  limit: number;
}

export interface ReevalCommandOptions extends Given<ReevaluateOptions> {
  estimate: boolean;
  json: boolean;
}

export interface JudgeCheckCommandOptions extends Given<CheckJudgeOptions> {
  json: boolean;
}

export interface CalibrateCommandOptions extends Given<CalibrateOptions> {
  json: boolean;
}

export interface ScoreCommandOptions extends Given<ScoreFilesOptions> {
  json: boolean;
  out?: string | undefined;
  markdown?: string | undefined;
  sarif?: string | undefined;
}

export interface GameCommandOptions extends Given<Omit<NamedGameOptions, 'format'>> {
  blueCommand?: string | undefined;
  blueFormat?: FindingsFormat | undefined;
  json: boolean;
}

export interface ExperimentCommandOptions extends Given<ExperimentOptions>, ExperimentTargets {
  file?: string | undefined;
  resume?: string | undefined;
  show?: string | undefined;
  list: boolean;
  estimate: boolean;
}

export interface BenchScannerCommandOptions extends Given<BenchScannerOptions>, Omit<ExperimentTargets, 'latex'> {}

export interface ValidateCommandOptions {
  files: string[];
  format: 'text' | 'json' | 'github';
}

export interface SchemaCommandOptions {
  which: FileFormat;
  out?: string | undefined;
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

type Command<Options> = (options: Options, terminal: Terminal) => Promise<number>;

/** The commands. The program knows only these signatures, so that parsing is tested without running them. */
export interface Commands {
  init: Command<{ dir: string; force: boolean }>;
  validate: Command<ValidateCommandOptions>;
  run: Command<RunCommandOptions>;
  report: Command<ReportCommandOptions>;
  replay: Command<{ trace: string; full: boolean; json: boolean }>;
  reeval: Command<ReevalCommandOptions>;
  judgeCheck: Command<JudgeCheckCommandOptions>;
  calibrate: Command<CalibrateCommandOptions>;
  score: Command<ScoreCommandOptions>;
  exportRun: Command<{ run: string; out?: string | undefined }>;
  schema: Command<SchemaCommandOptions>;
  adapters: Command<{ json: boolean }>;
  demo: Command<{ keep?: string | undefined; full: boolean }>;
  completion: Command<{ shell: Shell }>;
  game: Command<GameCommandOptions>;
  play: Command<GameCommandOptions>;
  tasks: Command<{ text: string; domain?: string | undefined; json: boolean }>;
  rules: Command<{ text: string; json: boolean }>;
  experiment: Command<ExperimentCommandOptions>;
  benchScanner: Command<BenchScannerCommandOptions>;
}

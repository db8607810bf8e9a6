import type { BenchScannerCommandOptions } from '../bench-scanner.ts';
import type { ExperimentCommandOptions } from '../experiment.ts';
import type { GameCommandOptions } from '../game.ts';
import type { ScoreCommandOptions } from '../score.ts';
import type { Terminal } from '../terminal/terminal.ts';

type OutputFormat = 'text' | 'json' | 'github';

export interface RunCommandOptions {
  files: string[];
  trials?: number | undefined;
  concurrency?: number | undefined;
  tag: string[];
  adapter?: string | undefined;
  model?: string | undefined;
  seed?: number | undefined;
  budgetUsd?: number | undefined;
  earlyStop: boolean;
  resume?: string | undefined;
  recordOnly: boolean;
  estimate: boolean;
  allowUnscored: boolean;
  minPassRate?: number | undefined;
  retries?: number | undefined;
  judgeCache: boolean;
  json: boolean;
  junit?: string | undefined;
  markdown?: string | undefined;
  csv?: string | undefined;
}

export interface ReportCommandOptions {
  run: string;
  history: boolean;
  limit: number;
  json: boolean;
  junit?: string | undefined;
  markdown?: string | undefined;
  csv?: string | undefined;
}

export interface ReevalCommandOptions {
  target: string;
  scenario?: string | undefined;
  judgeCache: boolean;
  estimate: boolean;
  json: boolean;
}

export interface JudgeCheckCommandOptions {
  judge?: string | undefined;
  model?: string | undefined;
  k?: number | undefined;
  rubric?: string | undefined;
  judgeCache: boolean;
  json: boolean;
}

export interface CalibrateCommandOptions {
  labels: string;
  rubric?: string | undefined;
  scenario?: string | undefined;
  assertion?: string | undefined;
  judge?: string | undefined;
  model?: string | undefined;
  k?: number | undefined;
  repeats: number;
  threshold?: number | undefined;
  budgetUsd?: number | undefined;
  judgeCache: boolean;
  json: boolean;
}

/** The commands. The program knows only these signatures, so that parsing is tested without running them. */
export interface Commands {
  init(options: { dir: string; force: boolean }, terminal: Terminal): Promise<number>;
  validate(options: { files: string[]; format: OutputFormat }, terminal: Terminal): Promise<number>;
  run(options: RunCommandOptions, terminal: Terminal): Promise<number>;
  report(options: ReportCommandOptions, terminal: Terminal): Promise<number>;
  replay(options: { trace: string; full: boolean; json: boolean }, terminal: Terminal): Promise<number>;
  reeval(options: ReevalCommandOptions, terminal: Terminal): Promise<number>;
  judgeCheck(options: JudgeCheckCommandOptions, terminal: Terminal): Promise<number>;
  calibrate(options: CalibrateCommandOptions, terminal: Terminal): Promise<number>;
  score(options: ScoreCommandOptions, terminal: Terminal): Promise<number>;
  exportRun(options: { run: string; out?: string | undefined }, terminal: Terminal): Promise<number>;
  schema(
    options: { which: 'scenario' | 'project' | 'experiment'; out?: string | undefined },
    terminal: Terminal,
  ): Promise<number>;
  adapters(options: { json: boolean }, terminal: Terminal): Promise<number>;
  demo(options: { keep?: string | undefined }, terminal: Terminal): Promise<number>;
  game(options: GameCommandOptions, terminal: Terminal): Promise<number>;
  play(options: GameCommandOptions, terminal: Terminal): Promise<number>;
  tasks(options: { text: string; domain?: string | undefined; json: boolean }, terminal: Terminal): Promise<number>;
  rules(options: { text: string; json: boolean }, terminal: Terminal): Promise<number>;
  experiment(options: ExperimentCommandOptions, terminal: Terminal): Promise<number>;
  benchScanner(options: BenchScannerCommandOptions, terminal: Terminal): Promise<number>;
}

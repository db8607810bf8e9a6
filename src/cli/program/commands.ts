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

/** Each module is loaded when its command runs, so that no command imports what it does not need. */
export const COMMANDS: Commands = {
  init: async (options, terminal) => (await import('../init.ts')).initCommand(options, terminal),
  validate: async (options, terminal) => (await import('../validate.ts')).validateCommand(options, terminal),
  run: async (options, terminal) => (await import('../run.ts')).runCommand(options, terminal),
  report: async (options, terminal) => (await import('../report.ts')).reportCommand(options, terminal),
  replay: async (options, terminal) => (await import('../replay.ts')).replayCommand(options, terminal),
  reeval: async (options, terminal) => (await import('../reeval.ts')).reevalCommand(options, terminal),
  judgeCheck: async (options, terminal) => (await import('../judge-check.ts')).judgeCheckCommand(options, terminal),
  calibrate: async (options, terminal) => (await import('../calibrate.ts')).calibrateCommand(options, terminal),
  score: async (options, terminal) => (await import('../score.ts')).scoreCommand(options, terminal),
  exportRun: async (options, terminal) => (await import('../export.ts')).exportCommand(options, terminal),
  schema: async (options, terminal) => (await import('../schema.ts')).schemaCommand(options, terminal),
  adapters: async (options, terminal) => (await import('../adapters.ts')).adaptersCommand(options, terminal),
  demo: async (options, terminal) => (await import('../demo.ts')).demoCommand(options, terminal),
  game: async (options, terminal) => (await import('../game.ts')).gameCommand(options, terminal),
  play: async (options, terminal) => (await import('../play.ts')).playCommand(options, terminal),
  tasks: async (options, terminal) => (await import('../tasks.ts')).tasksCommand(options, terminal),
  rules: async (options, terminal) => (await import('../rules.ts')).rulesCommand(options, terminal),
  experiment: async (options, terminal) => (await import('../experiment.ts')).experimentCommand(options, terminal),
  benchScanner: async (options, terminal) =>
    (await import('../bench-scanner.ts')).benchScannerCommand(options, terminal),
};

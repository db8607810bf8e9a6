import type { CommandFunction, Given, LongCommandOptions, WorkerUseOptions } from 'salvo/kit/commands';
import type { BenchScannerOptions } from '../../app/experiments/bench-scanner.ts';
import type { ExperimentOptions } from '../../app/experiments/run-experiment.ts';
import type { PlayBlueOptions } from '../../app/games/play-blue.ts';
import type { NamedGameOptions } from '../../app/games/play-game.ts';
import type { PlayRedOptions } from '../../app/games/play-red.ts';
import type { ScanCodeOptions } from '../../app/games/scan-code.ts';
import type { ScoreFilesOptions } from '../../app/scoring/score-files.ts';
import type { FindingsFormat } from '../../match/importers/findings-format.ts';
import type { Standard } from '../../tasks/game-settings.ts';
import type { ExperimentTargets } from '../terminal/write-experiment.ts';

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

export interface ScanCommandOptions extends Given<Omit<ScanCodeOptions, 'format' | 'standards'>>, BlueOptions {
  standard?: Standard[] | undefined;
  writeKnown?: string | undefined;
  all: boolean;
  json: boolean;
  sarif?: string | undefined;
  markdown?: string | undefined;
}

export interface RedCommandOptions extends Given<Omit<PlayRedOptions, 'out'>> {
  out?: string | undefined;
  dryRun: boolean;
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

/** The commands. The program knows only these signatures, so that parsing is tested without running them. */
export interface ArenaCommands {
  score: CommandFunction<ScoreCommandOptions>;
  game: CommandFunction<GameCommandOptions>;
  play: CommandFunction<GameCommandOptions>;
  scan: CommandFunction<ScanCommandOptions>;
  red: CommandFunction<RedCommandOptions>;
  blue: CommandFunction<BlueCommandOptions>;
  tools: CommandFunction<{ json: boolean }>;
  tasks: CommandFunction<{ text: string; domain?: string | undefined; json: boolean }>;
  rules: CommandFunction<{ text: string; json: boolean }>;
  experiment: CommandFunction<ExperimentCommandOptions>;
  benchScanner: CommandFunction<BenchScannerCommandOptions>;
}

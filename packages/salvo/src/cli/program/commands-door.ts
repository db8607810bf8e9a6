import type { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import type { CommandHelp } from './help-entry.ts';

/** A command of `salvo demo`. */
export interface DemoStep {
  words: string;
  argv: string[];
  /** About how many lines of the output are shown. */
  lines: number;
  /** For the summary at the end. */
  summary: string;
}

/** What a package adds to `salvo demo`. */
export interface DemoPart {
  /** Of the folder that a copy of the example is in. */
  name: string;
  /** The folder that is copied. */
  example: string;
  steps: readonly DemoStep[];
}

/** Commands of a package, and what it adds to the commands of others. */
export interface CommandsDoor {
  /** By the name of each command. */
  help: Readonly<Record<string, CommandHelp>>;
  /** What `salvo schema` describes of it. */
  schemas?: readonly string[];
  demo?: () => Promise<DemoPart>;
  /**
   * Defines its commands. Those of Salvo, and of packages that Salvo looks for before this one, are there already, so that
   * options can be added to them. `exit` receives a command's exit code.
   */
  add(program: Command, parts: { terminal: Terminal; exit: (code: number) => void }): void;
}

declare module '../../extension/extension.ts' {
  interface Doors {
    commands: CommandsDoor;
  }
}

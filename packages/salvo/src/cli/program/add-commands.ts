import type { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import { addArenaCommands } from './arena-program.ts';
import { addCommandHelp } from './command-help.ts';
import type { Commands } from './command-options.ts';
import { addCompareCommands } from './compare-program.ts';
import { addDbCommand } from './db-program.ts';
import { addExperimentCommands } from './experiment-program.ts';
import { addJudgeCommands } from './judge-program.ts';
import { addOtherCommands } from './other-program.ts';
import { addPlanCommand } from './plan-program.ts';
import { addProjectCommands } from './project-program.ts';
import { addResultCommands } from './results-program.ts';
import { addRunCommands } from './run-program.ts';
import { addScoreCommand } from './score-program.ts';
import { addWorkerCommands } from './worker-program.ts';

type AddCommands = (
  program: Command,
  parts: { commands: Commands; terminal: Terminal; exit: (code: number) => void },
) => void;

/** Who defines which commands, in the order of the help. The definitions are small, and so they are one file of `dist/`. */
const DEFINITIONS: readonly { names: readonly string[]; add: AddCommands }[] = [
  { names: ['init', 'validate'], add: addProjectCommands },
  { names: ['run', 'merge'], add: addRunCommands },
  { names: ['report', 'view', 'replay', 'reeval', 'export'], add: addResultCommands },
  { names: ['judge-check', 'calibrate'], add: addJudgeCommands },
  { names: ['score'], add: addScoreCommand },
  { names: ['compare', 'baseline'], add: addCompareCommands },
  { names: ['plan'], add: addPlanCommand },
  { names: ['game', 'play', 'scan', 'red', 'blue', 'tools', 'tasks', 'rules'], add: addArenaCommands },
  { names: ['experiment', 'bench-scanner'], add: addExperimentCommands },
  { names: ['worker', 'attach'], add: addWorkerCommands },
  { names: ['db'], add: addDbCommand },
  { names: ['schema', 'adapters', 'demo', 'completion'], add: addOtherCommands },
];

/** Adds the command that was typed and those beside it. Without a known one all: for the help, or to suggest one. */
export function addCommands(program: Command, parts: Parameters<AddCommands>[1], typed: string | undefined): void {
  const named = DEFINITIONS.filter(({ names }) => names.includes(typed ?? ''));
  for (const { add } of named.length > 0 ? named : DEFINITIONS) add(program, parts);
  for (const command of program.commands) {
    command.showHelpAfterError(`(salvo ${command.name()} --help lists its options)`);
  }
  addCommandHelp(program);
}

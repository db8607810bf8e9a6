import type { Command } from 'commander';
import { KNOWN_PACKAGES, packageOf } from '../../extension/known-packages.ts';
import { openDoor, openDoors } from '../../extension/load-extension.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { addCommandHelp } from './command-help.ts';
import type { Commands } from './command-options.ts';
import type { CommandsDoor } from './commands-door.ts';
import { addCompareCommands } from './compare-program.ts';
import { addDbCommand } from './db-program.ts';
import { addJudgeCommands } from './judge-program.ts';
import { addOtherCommands } from './other-program.ts';
import { addPlanCommand } from './plan-program.ts';
import { addProjectCommands } from './project-program.ts';
import { addResultCommands } from './results-program.ts';
import { addRunCommands } from './run-program.ts';

interface Parts {
  /** What `salvo schema` describes besides files and documents of Salvo itself. */
  schemas: readonly string[];
  commands: Commands;
  terminal: Terminal;
  exit: (code: number) => void;
}

/** Who defines which commands, in the order of the help. The definitions are small, and so they are one file of `dist/`. */
const DEFINITIONS: readonly { names: readonly string[]; add: (program: Command, parts: Parts) => void }[] = [
  { names: ['init', 'validate'], add: addProjectCommands },
  { names: ['run', 'merge'], add: addRunCommands },
  { names: ['report', 'view', 'replay', 'reeval', 'export'], add: addResultCommands },
  { names: ['judge-check', 'calibrate'], add: addJudgeCommands },
  { names: ['compare', 'baseline'], add: addCompareCommands },
  { names: ['plan'], add: addPlanCommand },
  { names: ['db'], add: addDbCommand },
  { names: ['schema', 'adapters', 'demo', 'completion'], add: addOtherCommands },
];

/** Commands of Salvo whose answer depends on all packages. */
const ABOUT_ALL = ['schema', 'completion', 'help'];

/** Adds the command that was typed and those beside it. Without a known one all: for the help, or to suggest one. */
export async function addCommands(
  program: Command,
  given: Omit<Parts, 'schemas'>,
  words: readonly string[],
): Promise<void> {
  const [typed = ''] = words;
  const named = DEFINITIONS.filter(({ names }) => names.includes(typed));
  const ofPackages = await doorsFor(words, { isOwn: named.length > 0 });
  const parts = { ...given, schemas: ofPackages.flatMap(({ schemas = [] }) => schemas) };
  const isOfPackage = packageOf('commands', typed) !== undefined;
  for (const { add } of named.length > 0 ? named : isOfPackage ? [] : DEFINITIONS) add(program, parts);
  for (const { add } of ofPackages) add(program, parts);
  for (const command of program.commands) {
    command.showHelpAfterError(`(salvo ${command.name()} --help lists its options)`);
  }
  addCommandHelp(
    program,
    ofPackages.map(({ help }) => help),
  );
}

/** What was typed names the packages that are needed: a command, or an option that a package adds to other commands. */
async function doorsFor(words: readonly string[], { isOwn }: { isOwn: boolean }): Promise<CommandsDoor[]> {
  const [typed = ''] = words;
  const flags = words.map((word) => word.split('=', 1)[0] ?? '');
  const needed = KNOWN_PACKAGES.flatMap(({ name, commands, options }) => {
    const option = options.find((each) => flags.includes(each));
    if (commands.includes(typed)) return { name, what: `\`salvo ${typed}\`` };
    return option === undefined ? [] : { name, what: `The option ${option}` };
  });
  const doors = await Promise.all(needed.map((each) => openDoor('commands', each)));
  const isAboutAll = ABOUT_ALL.includes(typed) || flags.includes('--help') || flags.includes('-h');
  return isAboutAll || !(isOwn || packageOf('commands', typed)) ? await openDoors('commands') : doors;
}

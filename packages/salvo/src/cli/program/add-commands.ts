import type { Command } from 'commander';
import { KNOWN_PACKAGES, packageOf } from '../../extension/known-packages.ts';
import { openDoor, openDoors } from '../../extension/load-extension.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Commands } from './command-options.ts';
import type { CommandsDoor } from './commands-door.ts';

interface Parts {
  /** What `salvo schema` describes besides files and documents of Salvo itself. */
  schemas: readonly string[];
  commands: Commands;
  terminal: Terminal;
  exit: (code: number) => void;
}

/** Where commands are defined, in the order of the help. */
const DEFINITIONS: readonly {
  names: readonly string[];
  load: () => Promise<(program: Command, parts: Parts) => void>;
}[] = [
  { names: ['init', 'validate'], load: async () => (await import('./project-program.ts')).addProjectCommands },
  { names: ['run', 'merge'], load: async () => (await import('./run-program.ts')).addRunCommands },
  {
    names: ['report', 'view', 'replay', 'reeval', 'export'],
    load: async () => (await import('./results-program.ts')).addResultCommands,
  },
  { names: ['judge-check', 'calibrate'], load: async () => (await import('./judge-program.ts')).addJudgeCommands },
  { names: ['compare', 'baseline'], load: async () => (await import('./compare-program.ts')).addCompareCommands },
  { names: ['plan'], load: async () => (await import('./plan-program.ts')).addPlanCommand },
  { names: ['db'], load: async () => (await import('./db-program.ts')).addDbCommand },
  {
    names: ['schema', 'adapters', 'demo', 'completion'],
    load: async () => (await import('./other-program.ts')).addOtherCommands,
  },
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
  const own = named.length > 0 ? named : isOfPackage ? [] : DEFINITIONS;
  for (const add of await Promise.all(own.map(({ load }) => load()))) add(program, parts);
  for (const { add } of ofPackages) add(program, parts);
  for (const command of program.commands) {
    command.showHelpAfterError(`(salvo ${command.name()} --help lists its options)`);
  }
  if ((named.length === 0 && !isOfPackage) || isAboutAll(words)) {
    const { addCommandHelp } = await import('./command-help.ts');
    addCommandHelp(
      program,
      ofPackages.map(({ help }) => help),
    );
  }
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
  return isAboutAll(words) || !(isOwn || packageOf('commands', typed)) ? await openDoors('commands') : doors;
}

function isAboutAll(words: readonly string[]): boolean {
  return ABOUT_ALL.includes(words[0] ?? '') || words.includes('--help') || words.includes('-h');
}

import type { Command } from 'commander';
import { KNOWN_PACKAGES, openDoor, openDoors, packageOf } from '../../extension/load-extension.ts';
import type { CommandParts } from './command-options.ts';
import type { CommandsDoor } from './commands-door.ts';

/** Where commands are defined, in the order of the help. */
const DEFINITIONS: readonly {
  names: readonly string[];
  load: () => Promise<(program: Command, parts: CommandParts) => void>;
}[] = [
  {
    names: ['init', 'validate', 'scenario'],
    load: async () => (await import('./project-program.ts')).addProjectCommands,
  },
  { names: ['run', 'merge', 'chaos'], load: async () => (await import('./run-program.ts')).addRunCommands },
  {
    names: ['report', 'view', 'replay', 'reeval', 'export'],
    load: async () => (await import('./results-program.ts')).addResultCommands,
  },
  { names: ['mutate'], load: async () => (await import('./mutate-program.ts')).addMutateCommand },
  { names: ['import'], load: async () => (await import('./import-program.ts')).addImportCommand },
  {
    names: ['judge-check', 'calibrate', 'rank'],
    load: async () => (await import('./judge-program.ts')).addJudgeCommands,
  },
  {
    names: ['compare', 'baseline', 'plan', 'db'],
    load: async () => (await import('./store-program.ts')).addStoreCommands,
  },
  {
    names: ['schema', 'adapters', 'demo', 'completion'],
    load: async () => (await import('./other-program.ts')).addOtherCommands,
  },
];

/** Commands of Salvo whose answer depends on all packages. */
const ABOUT_ALL = ['schema', 'completion', 'help'];
/** It executes no code of a project, and asks for all commands while nothing was typed. */
const WITHOUT_PLUGINS = 'completion';

/** Adds the command that was typed and those beside it. Without a known one all: for the help, or to suggest one. */
export async function addCommands(
  program: Command,
  given: Omit<CommandParts, 'schemas'>,
  written: readonly string[] | undefined,
): Promise<void> {
  const words = written ?? [];
  const [typed = ''] = words;
  if (written !== undefined && isListOfAll(words)) {
    const { addListedCommands } = await import('./listed-commands.ts');
    if (addListedCommands(program, given.terminal.cwd)) return;
  }
  const named = DEFINITIONS.filter(({ names }) => names.includes(typed));
  const isOfPackage = packageOf('commands', typed) !== undefined;
  const isForAll = isAboutAll(words) || (named.length === 0 && !isOfPackage);
  const loadPlugins = async (): Promise<void> =>
    (await import('./project-plugins.ts')).loadProjectPlugins(words, given.terminal);
  const needed = await neededDoors(words);
  if (isForAll && typed !== WITHOUT_PLUGINS && written !== undefined) await loadPlugins();
  const doors = isForAll ? await openDoors('commands') : needed;
  const parts = { ...given, schemas: doors.flatMap(({ schemas = [] }) => schemas) };
  const own = named.length > 0 ? named : isOfPackage ? [] : DEFINITIONS;
  for (const add of await Promise.all(own.map(({ load }) => load()))) add(program, parts);
  for (const { add } of doors) add(program, parts);
  if (!isForAll && hasUnknownOption(program, words)) {
    await loadPlugins();
    for (const door of await openDoors('commands')) if (!doors.includes(door)) door.add(program, parts);
  }
  for (const command of program.commands) {
    command.showHelpAfterError(`(salvo ${command.name()} --help lists its options)`);
  }
  if (isForAll) {
    const { addCommandHelp } = await import('./command-help.ts');
    addCommandHelp(
      program,
      doors.map(({ help }) => help),
    );
  }
}

/** What was typed names the packages that are needed: a command, or an option that a package adds to other commands. */
function neededDoors(words: readonly string[]): Promise<CommandsDoor[]> {
  const [typed = ''] = words;
  const flags = words.map(flagOf);
  const needed = KNOWN_PACKAGES.flatMap(({ name, commands, options }) => {
    const option = options.find((each) => flags.includes(each));
    if (commands.includes(typed)) return { name, what: `\`salvo ${typed}\`` };
    return option === undefined ? [] : { name, what: `The option ${option}` };
  });
  return Promise.all(needed.map((each) => openDoor('commands', each)));
}

/** An extension of the project may add it. Commands without --no-code execute no code of a project, so not to them. */
function hasUnknownOption(program: Command, words: readonly string[]): boolean {
  const command = program.commands.find((each) => each.name() === words[0]);
  const known = command?.options.map(({ long }) => long) ?? [];
  if (!known.includes('--no-code')) return false;
  return words.map(flagOf).some((flag) => /^--\w/.test(flag) && !known.includes(flag));
}

/** `--name` of `--name=value`. */
function flagOf(word: string): string {
  return word.split('=', 1)[0] ?? '';
}

/** Whether the help of the program is all that was asked for: it lists the commands. */
function isListOfAll([word = 'help', ...others]: readonly string[]): boolean {
  return ['help', '--help', '-h'].includes(word) && others.length === 0;
}

function isAboutAll(words: readonly string[]): boolean {
  return ABOUT_ALL.includes(words[0] ?? '') || words.includes('--help') || words.includes('-h');
}

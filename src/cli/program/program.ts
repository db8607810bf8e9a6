import { Command, CommanderError, Help, Option } from 'commander';
import { asciiSymbols } from '../../report/terminal/look.ts';
import { refuseAllCode } from '../../text/modules/permitted-code.ts';
import { safeBlock } from '../../text/output/safe-text.ts';
import { isAscii } from '../terminal/print-result.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Commands } from './command-options.ts';

type AddCommands = (
  program: Command,
  parts: { commands: Commands; terminal: Terminal; exit: (code: number) => void },
) => void;

/** Where commands are defined, in the order of the help. */
const DEFINITIONS: readonly { names: readonly string[]; load: () => Promise<AddCommands> }[] = [
  {
    names: ['init', 'validate'],
    load: async () => (await import('./project-program.ts')).addProjectCommands,
  },
  {
    names: ['run', 'merge'],
    load: async () => (await import('./run-program.ts')).addRunCommands,
  },
  {
    names: ['report', 'view', 'replay', 'reeval', 'export'],
    load: async () => (await import('./results-program.ts')).addResultCommands,
  },
  {
    names: ['judge-check', 'calibrate'],
    load: async () => (await import('./judge-program.ts')).addJudgeCommands,
  },
  {
    names: ['score'],
    load: async () => (await import('./score-program.ts')).addScoreCommand,
  },
  {
    names: ['compare', 'baseline'],
    load: async () => (await import('./compare-program.ts')).addCompareCommands,
  },
  {
    names: ['plan'],
    load: async () => (await import('./plan-program.ts')).addPlanCommand,
  },
  {
    names: ['game', 'play', 'scan', 'red', 'blue', 'tools', 'tasks', 'rules'],
    load: async () => (await import('./arena-program.ts')).addArenaCommands,
  },
  {
    names: ['experiment', 'bench-scanner'],
    load: async () => (await import('./experiment-program.ts')).addExperimentCommands,
  },
  {
    names: ['worker', 'attach'],
    load: async () => (await import('./worker-program.ts')).addWorkerCommands,
  },
  {
    names: ['db'],
    load: async () => (await import('./db-program.ts')).addDbCommand,
  },
  {
    names: ['schema', 'adapters', 'demo', 'completion'],
    load: async () => (await import('./other-program.ts')).addOtherCommands,
  },
];

/** The command line: parses the arguments and calls one command. `exit` receives the command's exit code. */
export async function createProgram(options: {
  commands: Commands;
  terminal: Terminal;
  version: string;
  exit: (code: number) => void;
  /** What the user typed: only what it needs is loaded. All commands, if it is not given. */
  words?: readonly string[] | undefined;
}): Promise<Command> {
  const { commands, terminal, exit } = options;
  const program = new Command('salvo')
    .description('Judges what AI agents do: scenarios in YAML, mocked tools, N trials, a verdict you can trust.')
    .version(options.version, '-v, --version', 'print the version')
    .addOption(new Option('-V').hideHelp())
    .helpOption('-h, --help', 'print this help')
    .showSuggestionAfterError()
    .showHelpAfterError('(salvo --help lists the commands)')
    .exitOverride()
    .configureHelp({
      // Every command has options, so the list does not say it.
      subcommandTerm: (command) => new Help().subcommandTerm(command).replace(' [options]', ''),
      // Every switch is off by default, so the help does not say it.
      optionDescription: (option) => new Help().optionDescription(option).replace(/ \(default: (?:false|\[\])\)$/, ''),
    })
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(isAscii(terminal.env) ? asciiSymbols(text) : text),
      // What is wrong with an argument quotes it.
      writeErr: (text) =>
        terminal.stderr.write(isAscii(terminal.env) ? asciiSymbols(safeBlock(text)) : safeBlock(text)),
      getOutHelpWidth: () => terminal.stdout.columns,
      getErrHelpWidth: () => terminal.stderr.columns,
    });

  // Before a command does anything, so that none can forget it. Commander says `code: false` for --no-code.
  program.hook('preAction', (_, command) => {
    if (command.getOptionValue('code') === false) refuseAllCode();
  });

  // Both spellings are common. Commander has room for one beside --version.
  program.on('option:V', () => {
    terminal.stdout.write(`${options.version}\n`);
    throw new CommanderError(0, 'commander.version', options.version);
  });

  for (const add of await definitionsFor(options.words)) add(program, { commands, terminal, exit });
  for (const command of program.commands) {
    command.showHelpAfterError(`(salvo ${command.name()} --help lists its options)`);
  }
  if (mayPrintHelp(options.words)) (await import('./command-help.ts')).addCommandHelp(program);
  return program;
}

/** Without words, and with words that name no command, all are needed: for the help, or to suggest one. */
async function definitionsFor(words: readonly string[] | undefined): Promise<AddCommands[]> {
  const named = DEFINITIONS.filter(({ names }) => names.includes(words?.[0] ?? ''));
  const needed = named.length > 0 || isVersion(words) ? named : DEFINITIONS;
  return await Promise.all(needed.map(({ load }) => load()));
}

function mayPrintHelp(words: readonly string[] | undefined): boolean {
  const namesCommand = DEFINITIONS.some(({ names }) => names.includes(words?.[0] ?? ''));
  return !isVersion(words) && (!namesCommand || words?.some((word) => word === '-h' || word === '--help') === true);
}

function isVersion(words: readonly string[] | undefined): boolean {
  return words?.length === 1 && ['-v', '-V', '--version'].includes(words[0] ?? '');
}

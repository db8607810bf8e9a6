import { Command, CommanderError, Help, Option } from 'commander';
import { asciiSymbols } from '../../report/terminal/look.ts';
import { refuseAllCode } from '../../text/modules/permitted-code.ts';
import { safeBlock } from '../../text/output/safe-text.ts';
import { isAscii } from '../terminal/print-result.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { addCommands } from './add-commands.ts';
import type { Commands } from './command-options.ts';

/** The command line: parses the arguments and calls one command. `exit` receives the command's exit code. */
export async function createProgram(options: {
  commands: Commands;
  terminal: Terminal;
  version: string;
  exit: (code: number) => void;
  /** What the user typed: only what it needs is defined. All commands, if it is not given. */
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

  // The version is all that --version needs.
  if (!isVersion(options.words)) {
    await addCommands(program, { commands, terminal, exit }, options.words);
  }
  return program;
}

function isVersion(words: readonly string[] | undefined): boolean {
  return words?.length === 1 && ['-v', '-V', '--version'].includes(words[0] ?? '');
}

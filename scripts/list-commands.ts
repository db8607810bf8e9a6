import type { ListedCommand } from '../packages/salvo/src/cli/program/listed-commands.ts';
import { createProgram } from '../packages/salvo/src/cli/program/program.ts';
import { COMMANDS } from '../packages/salvo/src/cli/run-main.ts';
import { processTerminal } from '../packages/salvo/src/cli/terminal/process-terminal.ts';
import { packageOf } from '../packages/salvo/src/extension/load-extension.ts';

/** Prints the commands of each package, as its file `dist/commands.json` has them. Run by the build, on the sources. */
const program = await createProgram({ commands: COMMANDS, terminal: processTerminal(), version: '', exit: () => {} });
const help = program.createHelp();
const listed = Map.groupBy(program.commands, (command) => packageOf('commands', command.name()) ?? 'salvo');
const lists = Array.from(listed, ([name, commands]): [string, ListedCommand[]] => [
  name,
  commands.map((command) => ({
    usage: help.subcommandTerm(command),
    description: command.description(),
    group: command.helpGroup(),
  })),
]);
process.stdout.write(JSON.stringify(Object.fromEntries(lists)));

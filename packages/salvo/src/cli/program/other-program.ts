import type { Command } from 'commander';
import { DOCUMENT_VERSIONS } from '../../app/documents/document-kinds.ts';
import { FILE_FORMATS } from '../../app/project/file-formats.ts';
import { type CommandParts, SHELLS, type Shell } from './command-options.ts';
import { NO_CODE } from './option-values.ts';

/** The commands that print something about Salvo itself. */
export function addOtherCommands(program: Command, { commands, terminal, exit, schemas }: CommandParts): void {
  const described = [...FILE_FORMATS, ...Object.keys(DOCUMENT_VERSIONS), ...schemas];
  program
    .command('schema')
    .description('print the JSON Schema of a file, or of what a command prints with --json')
    .addArgument(program.createArgument('[which]', 'which file or document').choices(described).default('scenario'))
    .option('--no-code', NO_CODE)
    .option('-o, --out <file>', 'write to a file instead of standard output')
    .action(async (which: string, rest) => exit(await commands.schema({ which, ...rest }, terminal)));

  program
    .command('adapters')
    .description('list adapters: which are ready, and what is missing for the others')
    .option('--no-code', NO_CODE)
    .option('--json', 'print one JSON document', false)
    .action(async (rest) => exit(await commands.adapters(rest, terminal)));

  program
    .command('demo')
    .description('run a demo: a scripted agent tested twenty times, offline')
    .option('--keep <dir>', 'keep the demo projects in this folder')
    .option('--full', 'show the whole output of every command', false)
    .action(async (rest) => exit(await commands.demo(rest, terminal)));

  program
    .command('completion')
    .description('print a script that completes commands and options in your shell')
    .addArgument(program.createArgument('<shell>', 'which shell').choices(SHELLS))
    .action(async (shell: Shell) => exit(await commands.completion({ shell }, terminal)));
}

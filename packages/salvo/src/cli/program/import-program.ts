import { type Command, InvalidArgumentError } from 'commander';
import type { CommandParts } from './command-options.ts';
import { QUIET } from './option-values.ts';

/** `salvo import` */
export function addImportCommand(program: Command, { commands, terminal, exit }: CommandParts): void {
  program
    .command('import')
    .description('store recorded conversations as a run: traces, session files, results of benchmarks')
    .argument('<files...>', 'files, folders, or - for standard input')
    .option('--format <name>', 'the format of the files (default: recognised by their content)')
    .option('--case <field>', 'the field that names the case: conversations with the same case are its trials')
    .option('--trial <field>', 'the field with the number of the trial')
    .option('--passed <field>', 'the field that says whether it passed')
    .option('--reward <field>', 'the field with the reward')
    .option('--pass-at <reward>', 'the reward from which it passes (default: 1)', anyNumber)
    .option('--name <name>', 'the name of the scenario, if the files have none')
    .option('--dry-run', 'only read, and say what is there', false)
    .option('--strict', 'store nothing if anything would be lost', false)
    .option('--json', 'print one JSON document', false)
    .option('-q, --quiet', QUIET, false)
    .action(async (files: string[], rest) => exit(await commands.import({ files, ...rest }, terminal)));
}

function anyNumber(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) throw new InvalidArgumentError('It is no number.');
  return number;
}

import type { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import type { Commands } from './command-options.ts';
import { NO_CODE, share, wholeNumber } from './option-values.ts';

/** `salvo plan` */
export function addPlanCommand(
  program: Command,
  { commands, terminal, exit }: { commands: Commands; terminal: Terminal; exit: (code: number) => void },
): void {
  program
    .command('plan')
    .description('say how many trials a question needs, what they cost and take, from stored runs')
    .argument('[files...]', 'files, folders, globs or names of scenarios')
    .option('--effect <share>', 'a change of the pass rate that a comparison must find (default: 10%)', share)
    .option('--power <share>', 'in how many comparisons it must be found (default: 80%)', share)
    .option('--precision <share>', 'how far the 95% interval of the pass rate may reach to either side', share)
    .option('--adapter <name>', 'instead of the adapter of the scenarios')
    .option('--model <name>', 'instead of the model of the scenarios')
    .option('--concurrency <n>', 'trials at the same time (default: concurrency of salvo.yaml)', wholeNumber(1))
    .option('--no-code', NO_CODE)
    .option('--json', 'print one JSON document', false)
    .action(async (files: string[], rest) => exit(await commands.plan({ files, ...rest }, terminal)));
}

import type { Command } from 'commander';
import type { CommandParts } from './command-options.ts';
import { decimalNumber, NO_CODE, QUIET, share, wholeNumber } from './option-values.ts';

/** `salvo mutate` */
export function addMutateCommand(program: Command, { commands, terminal, exit }: CommandParts): void {
  program
    .command('mutate')
    .description('change stored traces that passed, and list the changes that no assertion notices')
    .argument('[target]', 'a run, scenario, trial or trace, as for replay', 'latest')
    .option('--scenario <file>', 'take the assertions from this file')
    .option('--min-score <share>', 'fail if a smaller share of the mutants that must fail is noticed', share)
    .option('--max-mutants <n>', 'try so many at most', wholeNumber(1, 1_000_000), 2000)
    .option('--seed <n>', 'which mutants are drawn, and how they are made', wholeNumber(0), 1)
    .option('--ask-judge', 'ask the judges of scenarios, too; otherwise no model is called', false)
    .option('--judge-mutants', 'ask only the judges: which changes do they not notice?', false)
    .option('--budget-usd <usd>', 'stop before more than this is spent on judges', decimalNumber(0))
    .option('--operators', 'list the changes, and why the right verdict is known', false)
    .option('--no-code', NO_CODE)
    .option('--full', 'list all survivors, and why operators were not used', false)
    .option('--json', 'print one JSON document', false)
    .option('-q, --quiet', QUIET, false)
    .action(async (target: string, rest) => exit(await commands.mutate({ target, ...rest }, terminal)));
}

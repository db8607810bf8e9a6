import type { Command } from 'commander';
import { type CommandParts, DB_ACTIONS, type DbCommandOptions } from './command-options.ts';
import { duration, gateOption, NO_CODE, QUIET, share, wholeNumber } from './option-values.ts';

/** `salvo compare`, `baseline`, `plan` and `db`: what is done with all that is stored. */
export function addStoreCommands(program: Command, { commands, terminal, exit }: CommandParts): void {
  program
    .command('compare')
    .description('compare two runs: better, worse, no evidence, or too few trials')
    .argument('[base]', 'a run, a file or git:REF; alone, it is the new run, and the run before it is the base')
    .argument('[new]', 'the same (default: latest)')
    .option('--anyway', 'compare also scenarios whose assertions, judges or threshold differ', false)
    .option('--json', 'print one JSON document', false)
    .option('--markdown <file>', 'write a Markdown summary; - is standard output')
    .action(async (base: string | undefined, next: string | undefined, rest) =>
      exit(await commands.compare({ ...(next === undefined ? { next: base } : { base, next }), ...rest }, terminal)),
    );

  program
    .command('baseline')
    .description('keep the results of a run in a small file to commit, which later runs are compared with')
    .addArgument(program.createArgument('<action>', 'set: write the file').choices(['set']))
    .argument('[run]', 'an id, its beginning, or latest', 'latest')
    .option('-o, --out <file>', 'the file (default: baseline of salvo.yaml, else salvo-baseline.json)')
    .option('--force', 'also of a run that failed a rule, or that lacks scenarios of the file', false)
    .action(async (_action: string, run: string, rest) => exit(await commands.baseline({ run, ...rest }, terminal)));

  program
    .command('plan')
    .description('say how many trials a question needs, what they cost and take, from stored runs')
    .argument('[files...]', 'files, folders, globs or names of scenarios')
    .option('--effect <share>', 'a change of the pass rate that a comparison must find (default: 10%)', share)
    .option('--power <share>', 'in how many comparisons it must be found (default: 80%)', share)
    .option('--precision <share>', 'how far the 95% interval of the pass rate may reach to either side', share)
    .addOption(
      program.createOption('--until <end>', 'what salvo run --until decided would need').choices(['decided'] as const),
    )
    .option('--against <baseline>', 'with --until: the baseline, as of salvo run')
    .option('--max-trials <n>', 'with --until: at most so many trials in all (default: 200)', wholeNumber(1, 1_000_000))
    .option('--max-drop <share>', 'with --until: the drop that is tolerated (default: 10%)', share)
    .addOption(gateOption())
    .option('--evidence <file>', 'with --until: the file that the run would continue')
    .option('--holdout', 'also rows that a scenario holds out')
    .option('--adapter <name>', 'instead of the adapter of the scenarios')
    .option('--model <name>', 'instead of the model of the scenarios')
    .option('--concurrency <n>', 'trials at the same time (default: concurrency of salvo.yaml)', wholeNumber(1))
    .option('--no-code', NO_CODE)
    .option('--json', 'print one JSON document', false)
    .action(async (files: string[], rest) => exit(await commands.plan({ files, ...rest }, terminal)));

  program
    .command('db')
    .description('look after stored results: create tables, say what is stored, copy, remove')
    .addArgument(program.createArgument('<action>', 'what to do').choices(DB_ACTIONS))
    .argument('[file]', 'import: the store to copy, such as .salvo/salvo.db')
    .option('--older-than <time>', 'prune: what ended so long ago, such as 90d, 12w or 36h', duration)
    .option('--unreadable', "prune: only runs and experiments that can't be read", false)
    .option('--dry-run', 'prune: only say what would be removed', false)
    .option('--json', 'print one JSON document', false)
    .option('-q, --quiet', QUIET, false)
    .action(async (action: DbCommandOptions['action'], file: string | undefined, rest) =>
      exit(await commands.db({ action, file, ...rest }, terminal)),
    );
}

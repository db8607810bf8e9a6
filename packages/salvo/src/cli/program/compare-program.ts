import type { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import type { Commands } from './command-options.ts';

/** `salvo compare` and `salvo baseline` */
export function addCompareCommands(
  program: Command,
  { commands, terminal, exit }: { commands: Commands; terminal: Terminal; exit: (code: number) => void },
): void {
  program
    .command('compare')
    .description('compare two runs: better, worse, no evidence, or too few trials')
    .argument('[base]', 'a run, a file or git:REF; alone, it is the new run, and the run before it is the base')
    .argument('[new]', 'the same (default: latest)')
    .option('--anyway', 'compare also scenarios whose assertions, judges or threshold differ', false)
    .option('--json', 'print one JSON document', false)
    .option('--markdown <file>', 'write a Markdown summary')
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
}

import type { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import { type Commands, DB_ACTIONS, type DbCommandOptions } from './command-options.ts';
import { duration, QUIET } from './option-values.ts';

/** `salvo db` */
export function addDbCommand(
  program: Command,
  { commands, terminal, exit }: { commands: Commands; terminal: Terminal; exit: (code: number) => void },
): void {
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

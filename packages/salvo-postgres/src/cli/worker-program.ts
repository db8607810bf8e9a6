import { type Command, InvalidArgumentError } from 'commander';
import {
  type Commands,
  decimalNumber,
  labels,
  listed,
  QUIET,
  type Terminal,
  waitOption,
  wholeNumber,
  withReportOptions,
} from 'salvo/kit/cli';

/** The commands for work on many machines. */
export function addWorkerCommands(
  program: Command,
  { commands, terminal, exit }: { commands: Commands; terminal: Terminal; exit: (code: number) => void },
): void {
  program
    .command('worker')
    .description('take trials and games of runs and experiments, from the database that all share')
    .option(
      '-c, --concurrency <n>',
      'jobs at the same time (default: concurrency of salvo.yaml)',
      wholeNumber(1, 10_000),
    )
    .option('--labels <names>', 'what this machine has, such as gpu,eu', labels)
    .option('--allow-code [hashes...]', 'execute code of projects: all of it, or only what has these hashes')
    .option('--env [names...]', 'variables that runs may use: NAME for programs, NAME=HOST for a server', variables)
    .option('--run <id>', 'only this run or experiment; the worker ends with it')
    .option('--idle-exit <seconds>', 'leave when there was nothing to do for so long', decimalNumber(0))
    .addOption(waitOption())
    .option('-q, --quiet', QUIET, false)
    .action(async ({ idleExit, ...rest }) =>
      exit(await commands.worker({ ...rest, idleExitSeconds: idleExit }, terminal)),
    );

  const attach = program
    .command('attach')
    .description('follow a run or an experiment that workers do, and report it when it ends')
    .argument('[target]', 'an id, its beginning, or latest', 'latest')
    .addOption(waitOption());
  withReportOptions(attach).action(async (target: string, rest) =>
    exit(await commands.attach({ target, ...rest }, terminal)),
  );
}

/** `TOKEN` or `TOKEN=agents.example.com`. Hosts are compared as URLs write them. */
function variables(text: string, before: string[] | undefined): string[] {
  const names = listed(text, before);
  if (names.every((name) => /^[A-Za-z_]\w*(?:=[\w.:[\]-]+)?$/.test(name)))
    return names.map((each) => {
      const [name = each, host] = each.split('=');
      return host === undefined ? name : `${name}=${host.toLowerCase()}`;
    });
  throw new InvalidArgumentError('Give NAME, or NAME=HOST such as TOKEN=agents.example.com; never the value.');
}

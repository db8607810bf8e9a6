import type { Terminal } from 'salvo/kit/cli';
import {
  type Command,
  decimalNumber,
  InvalidArgumentError,
  LABEL,
  LABEL_RULE,
  listed,
  Option,
  OUTAGE_SECONDS,
  PATIENCE_SECONDS,
  QUIET,
  wholeNumber,
  withReportOptions,
} from 'salvo/kit/commands';
import type { WorkerCommands } from './command-options.ts';

/** The commands for work on many machines. */
export function addWorkerCommands(
  program: Command,
  { commands, terminal, exit }: { commands: WorkerCommands; terminal: Terminal; exit: (code: number) => void },
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

/** How a run or an experiment uses workers. */
export function withWorkerOptions(command: Command): Command {
  return command
    .option('--local-workers <n>', 'start so many workers here, for this alone', wholeNumber(1, 1000))
    .option('--labels <names>', 'what a worker must have, such as gpu,eu', labels)
    .addOption(waitOption())
    .addOption(
      new Option('--detach', 'leave it to the workers at once; salvo attach follows it')
        .default(false)
        .conflicts(['localWorkers', 'watch', 'junit', 'markdown', 'csv', 'jsonl', 'latex', 'estimate', 'show']),
    );
}

function waitOption(): Option {
  return new Option(
    '--wait <seconds>',
    `how long to wait for a database that cannot be reached (default: ${PATIENCE_SECONDS} at the start, ${OUTAGE_SECONDS} later)`,
  ).argParser(decimalNumber(0, 86_400));
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

/** `gpu,eu` */
function labels(text: string, before: string[] | undefined): string[] {
  const names = listed(text, before);
  if (names.every((name) => LABEL.test(name))) return names;
  throw new InvalidArgumentError(`${LABEL_RULE.replace('a', 'A')}.`);
}

import type { Terminal } from 'salvo/kit/cli';
import { type Command, decimalNumber, NO_CODE, Option, QUIET, wholeNumber } from 'salvo/kit/commands';
import { FINDINGS_FORMATS } from '../../match/importers/findings-format.ts';
import { STRATEGIES } from '../../tasks/game-settings.ts';
import type { ArenaCommands } from './command-options.ts';

/** The commands that play many games. */
export function addExperimentCommands(
  program: Command,
  { commands, terminal, exit }: { commands: ArenaCommands; terminal: Terminal; exit: (code: number) => void },
): void {
  const experiment = withTargets(
    program
      .command('experiment')
      .description('play a matrix of games: tasks x Red x Blue x difficulty x language x strategy x repetitions')
      .argument('[file]', 'a YAML file with the plan of the experiment')
      .option('--resume <experiment>', 'play the failed and missing games (an id, its beginning, or latest)')
      .option('--show <experiment>', 'show an experiment again (an id, its beginning, or latest)')
      .option('--list', 'list the stored experiments', false)
      .addOption(
        new Option('--estimate', 'print the expected calls and cost, and play nothing')
          .default(false)
          .conflicts(['resume', 'show']),
      )
      .option('-c, --concurrency <n>', 'games at the same time', wholeNumber(1, 1000))
      .option('--budget-usd <usd>', 'stop before more than this is spent', decimalNumber(0)),
  );
  experiment
    .option('--latex <file>', 'write tables for a paper')
    .action(async (file: string | undefined, rest) => exit(await commands.experiment({ file, ...rest }, terminal)));

  const bench = withTargets(
    program
      .command('bench-scanner')
      .description('measure a scanner: recall, false positives and Youden’s J by category')
      .argument('<scanner>', 'checkov, trivy, kics, rules..., or a command: "my-scanner --json {dir}"')
      .addOption(new Option('--format <format>', "format of the command's report").choices(FINDINGS_FORMATS))
      .option('--tasks <n>', 'number of tasks, each at three difficulties', wholeNumber(1, 1000), 12)
      .addOption(
        new Option('--language <language>', 'language of the code')
          .choices(['terraform', 'cloudformation', 'both'])
          .default('terraform'),
      )
      .addOption(
        new Option('--strategy <strategy>', 'what Red hides')
          .choices(STRATEGIES.filter((strategy) => strategy !== 'targeted'))
          .default('blitz'),
      )
      .option('--seed <n>', 'seed for all random choices', wholeNumber(Number.MIN_SAFE_INTEGER), 0)
      .option('--runs <n>', 'looks at the same code, to see how much a model’s answers differ', wholeNumber(1, 100))
      .option('-c, --concurrency <n>', 'games at the same time', wholeNumber(1, 1000))
      .option('--budget-usd <usd>', 'stop before more than this is spent on models', decimalNumber(0)),
  );
  bench.action(async (scanner: string, rest) => exit(await commands.benchScanner({ scanner, ...rest }, terminal)));
}

function withTargets(command: Command): Command {
  return command
    .option('--no-code', NO_CODE)
    .option('--json', 'print one JSON document', false)
    .option('-q, --quiet', QUIET, false)
    .option('--beta <n>', 'how much more recall counts than precision in F-beta', decimalNumber(0.01, 100), 1)
    .option('--csv <file>', 'write one line per game')
    .option('--jsonl <file>', 'write every game with all its flaws, one JSON document per line')
    .option('--markdown <file>', 'write a Markdown summary');
}

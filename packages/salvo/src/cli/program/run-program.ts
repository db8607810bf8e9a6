import { type Command, Option } from 'commander';
import type { CommandParts } from './command-options.ts';
import {
  decimalNumber,
  gateOption,
  listed,
  NO_CODE,
  QUIET,
  repeated,
  shardOption,
  share,
  shares,
  undecidedOption,
  wholeNumber,
  withReportOptions,
} from './option-values.ts';

const GREP = 'only scenarios and cases with this text in their name; =NAME: with just this name';
const FAULTS = 'let tools fail as this YAML file says: [{ kind: timeout, rate: 20% }]';

/** The commands that run scenarios. */
export function addRunCommands(program: Command, { commands, terminal, exit }: CommandParts): void {
  const run = program
    .command('run')
    .description('run scenarios N times and give a verdict')
    .argument('[files...]', 'files, folders, globs, scenarios or SCENARIO/CASE by name (default: scenarios_dir)')
    .optionsGroup('What is run:')
    .option('-n, --trials <n>', 'trials per scenario, or per case (default: 3)', wholeNumber(1, 1_000_000))
    .option('-t, --tag <tag>', 'only scenarios and cases with this tag, or tag=value; repeatable', repeated, [])
    .addOption(new Option('--grep <text>', GREP).conflicts('resume'))
    .addOption(
      new Option('--cases <n>', 'only the first n cases of each scenario with data')
        .argParser(wholeNumber(1, 100_000))
        .conflicts('resume'),
    )
    .addOption(
      new Option('--holdout', 'also rows that a scenario holds out; the report says how far both differ')
        .default(false)
        .conflicts('resume'),
    )
    .addOption(new Option('--failed', 'only what did not pass in the latest run').default(false).conflicts('resume'))
    .addOption(
      new Option('-w, --watch', 'run again what a change of files touches, until q or Ctrl-C')
        .default(false)
        .conflicts(['json', 'junit', 'markdown', 'csv', 'resume', 'failed', 'estimate', 'recordOnly']),
    )
    .option('--adapter <name>', 'use this adapter for all scenarios')
    .option('--model <name>', 'use this model for all scenarios')
    .option(
      '--models <names>',
      'run with each of these models (model or adapter=model, with commas) and compare',
      listed,
    )
    .option('--adapters <names>', 'run with each of these adapters (with commas) and compare', listed)
    .option('--user <name>', 'the model that plays simulated users (model or adapter=model)')
    .option('--seed <n>', 'seed for all random choices (reproducible runs)', wholeNumber(Number.MIN_SAFE_INTEGER))
    .option('--resume <run>', 'run the missing trials of an earlier run (an id, its beginning, or latest)')
    .option('--faults <file>', FAULTS)
    .option('--no-code', NO_CODE)
    .option('--mixed', 'with --resume: go on although the agent changed; reports call the run a mixture', false)
    .optionsGroup('Time and money:')
    .option('-c, --concurrency <n>', 'trials at the same time, over all scenarios', wholeNumber(1, 10_000))
    .option('--budget-usd <usd>', 'stop before more than this is spent', decimalNumber(0))
    .option('--early-stop', 'stop when the verdict is certain or a required assertion failed', false)
    .addOption(
      new Option('--estimate', 'print the expected calls and cost, and run nothing').default(false).conflicts('resume'),
    )
    .option('--retries <n>', 'maximum retries of a request (default: 4)', wholeNumber(0, 20))
    .option('--no-judge-cache', 'ignore cached votes of judges and messages of simulated users')
    .option(
      '--model-cassette <file>',
      'replay the answers of agents, users and judges from this file; if it does not exist, record them',
    )
    .addOption(
      new Option(
        '--cassettes <mode>',
        'of models and tools: record: call them and record anew; replay: never call one; live: no cassette (default: replay a file that exists, record one that does not, never record in CI)',
      ).choices(['record', 'replay', 'live']),
    )
    .optionsGroup('Verdict:')
    .option('--min-pass-rate <share>', 'the share of trials that must pass (0.9 or 90%; default: 100%)', share)
    .option(
      '--check-judge',
      'first ask calibrated judges again about up to 20 labelled answers: has the service behind the name changed?',
      false,
    )
    .option('--min-score <share>', 'the mean score that a scenario must reach, in addition', share)
    .option('--against <baseline>', 'fail if worse than this baseline: a file, git:REF or a run')
    .option('--max-drop <share>', 'with --against: tolerate a drop of the pass rate up to this (5%)', share)
    .addOption(undecidedOption())
    .addOption(gateOption())
    .addOption(
      new Option('--until <end>', 'with --against: add trials until the comparison is decided').choices([
        'decided',
      ] as const),
    )
    .option('--max-trials <n>', 'with --until: at most so many trials in all (default: 200)', wholeNumber(1, 1_000_000))
    .option('--evidence <file>', 'with --until: keep what was shown in this file, and continue it in the next run')
    .option('--allow-unscored', 'base the verdict on the trials that could be scored', false)
    .option('--keep-workspaces', 'do not remove the workspaces of trials, to look at them', false)
    .option('--record-only', 'store traces without evaluating them, exit 0', false)
    .option('--look', 'show inputs and outputs; a scenario without assertions is not judged, and is no error', false)
    .optionsGroup('Reports:');
  withReportOptions(run)
    .addOption(
      new Option('--show-outputs', 'also print the input, the outputs and the score of each case')
        .default(false)
        .conflicts('json'),
    )
    .optionsGroup('Several machines:');
  run
    .addOption(shardOption())
    .option('--out <dir>', 'the folder for the part of the shard')
    .action(async (files: string[], rest) => exit(await commands.run({ files, ...rest }, terminal)));
  addMergeCommand(program, { commands, terminal, exit });
  addChaosCommand(program, { commands, terminal, exit });
}

function addMergeCommand(program: Command, { commands, terminal, exit }: Omit<CommandParts, 'schemas'>): void {
  const merge = program
    .command('merge')
    .description('join the parts of a run that was divided by --shard, and give the verdict')
    .argument('<paths...>', 'parts, or folders with parts')
    .option('--against <baseline>', 'fail if worse than this baseline: a file, git:REF or a run')
    .option('--max-drop <share>', 'with --against: tolerate a drop of the pass rate up to this (5%)', share)
    .addOption(undecidedOption())
    .addOption(gateOption())
    .option('--mixed', 'merge parts of different agents; reports call the run a mixture', false);
  withReportOptions(merge).action(async (paths: string[], rest) =>
    exit(await commands.merge({ paths, ...rest }, terminal)),
  );
}

function addChaosCommand(program: Command, { commands, terminal, exit }: Omit<CommandParts, 'schemas'>): void {
  program
    .command('chaos')
    .description('let tools fail in several doses: pass rates, which fault hurts most, and what the agent claims')
    .argument('[files...]', 'files, folders, globs, or names of scenarios (default: scenarios_dir)')
    .option('--doses <shares>', 'chances that a call has a fault, with commas (default: 0,0.1,0.3,1)', shares)
    .option('--alone <share>', 'the dose of each fault alone; 0: none (default: the greatest dose below 1)', share)
    .option('--faults <file>', FAULTS)
    .option('--show <run>', 'print what a stored run of this command says, and run nothing')
    .option('-n, --trials <n>', 'trials per dose and case (default: 3)', wholeNumber(1, 1_000_000))
    .option('-t, --tag <tag>', 'only scenarios and cases with this tag, or tag=value; repeatable', repeated, [])
    .option('--grep <text>', GREP)
    .option('--cases <n>', 'only the first n cases of each scenario with data', wholeNumber(1, 100_000))
    .option('--adapter <name>', 'use this adapter for all scenarios')
    .option('--model <name>', 'use this model for all scenarios')
    .option('--models <names>', 'with each of these models (model or adapter=model, with commas)', listed)
    .option('--adapters <names>', 'with each of these adapters (with commas)', listed)
    .option('--seed <n>', 'seed for all random choices (reproducible runs)', wholeNumber(Number.MIN_SAFE_INTEGER))
    .option('--resume <run>', 'run the missing trials of an earlier run (an id, its beginning, or latest)')
    .option('-c, --concurrency <n>', 'trials at the same time, over all scenarios', wholeNumber(1, 10_000))
    .option('--budget-usd <usd>', 'stop before more than this is spent', decimalNumber(0))
    .option('--estimate', 'print the expected calls and cost, and run nothing', false)
    .option('--max-false-success <share>', 'fail if more of the trials with faults claim what did not happen', share)
    .option('--no-code', NO_CODE)
    .option('--json', 'print one JSON document', false)
    .option('-q, --quiet', QUIET, false)
    .option('--markdown <file>', 'write a Markdown summary')
    .option('--csv <file>', 'write one line per dose and per fault alone')
    .action(async (files: string[], rest) => exit(await commands.chaos({ files, ...rest }, terminal)));
}

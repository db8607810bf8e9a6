import { Command, CommanderError, Help, Option } from 'commander';
import { DOCUMENT_VERSIONS, type DocumentKind } from '../../app/documents/document-kinds.ts';
import { FILE_FORMATS, type FileFormat } from '../../app/project/file-formats.ts';
import { FINDINGS_FORMATS } from '../../match/importers/findings-format.ts';
import { asciiSymbols } from '../../report/terminal/look.ts';
import { refuseAllCode } from '../../text/modules/permitted-code.ts';
import { safeBlock } from '../../text/output/safe-text.ts';
import { isAscii } from '../terminal/print-result.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { addArenaCommands } from './arena-program.ts';
import { addCommandHelp, EXIT_CODES_OF_RUNS, OTHER_COMMANDS } from './command-help.ts';
import { type Commands, SHELLS, type Shell } from './command-options.ts';
import { addCompareCommands } from './compare-program.ts';
import { addDbCommand } from './db-program.ts';
import { addExperimentCommands } from './experiment-program.ts';
import { addJudgeCommands } from './judge-program.ts';
import {
  decimalNumber,
  FULL,
  listed,
  NO_CODE,
  QUIET,
  repeated,
  shardOption,
  share,
  undecidedOption,
  wholeNumber,
} from './option-values.ts';
import { addPlanCommand } from './plan-program.ts';
import { addResultCommands } from './results-program.ts';
import { addWorkerCommands, withWorkerOptions } from './worker-program.ts';

const SCHEMAS = [...FILE_FORMATS, ...Object.keys(DOCUMENT_VERSIONS)];

/** The command line: parses the arguments and calls one command. `exit` receives the command's exit code. */
export function createProgram(options: {
  commands: Commands;
  terminal: Terminal;
  version: string;
  exit: (code: number) => void;
}): Command {
  const { commands, terminal, exit } = options;
  const program = new Command('salvo')
    .description('Judges what AI agents do: scenarios in YAML, mocked tools, N trials, a verdict you can trust.')
    .version(options.version, '-v, --version', 'print the version')
    .addOption(new Option('-V').hideHelp())
    .helpOption('-h, --help', 'print this help')
    .commandsGroup(OTHER_COMMANDS)
    .helpCommand('help [command]', 'print the help of a command')
    .showSuggestionAfterError()
    .showHelpAfterError('(salvo --help lists the commands)')
    .addHelpText('after', `\n${EXIT_CODES_OF_RUNS}`)
    .exitOverride()
    .configureHelp({
      // Every command has options, so the list does not say it.
      subcommandTerm: (command) => new Help().subcommandTerm(command).replace(' [options]', ''),
      // Every switch is off by default, so the help does not say it.
      optionDescription: (option) => new Help().optionDescription(option).replace(/ \(default: (?:false|\[\])\)$/, ''),
    })
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(isAscii(terminal.env) ? asciiSymbols(text) : text),
      // What is wrong with an argument quotes it.
      writeErr: (text) =>
        terminal.stderr.write(isAscii(terminal.env) ? asciiSymbols(safeBlock(text)) : safeBlock(text)),
      getOutHelpWidth: () => terminal.stdout.columns,
      getErrHelpWidth: () => terminal.stderr.columns,
    });

  // Before a command does anything, so that none can forget it. Commander says `code: false` for --no-code.
  program.hook('preAction', (_, command) => {
    if (command.getOptionValue('code') === false) refuseAllCode();
  });

  // Both spellings are common. Commander has room for one beside --version.
  program.on('option:V', () => {
    terminal.stdout.write(`${options.version}\n`);
    throw new CommanderError(0, 'commander.version', options.version);
  });

  program
    .command('init')
    .description('create a project: salvo.yaml, a first scenario, and schemas for your editor')
    .argument('[dir]', 'folder of the project', '.')
    .option('--force', 'overwrite existing files', false)
    .action(async (dir: string, { force }) => exit(await commands.init({ dir, force }, terminal)));

  program
    .command('validate')
    .description('check scenario files and salvo.yaml; report every problem with its position')
    .argument('[files...]', 'files, folders or globs (default: scenarios_dir)')
    .addOption(
      new Option('--format <format>', 'format of the report').choices(['text', 'json', 'github']).default('text'),
    )
    .option('--no-code', NO_CODE)
    .action(async (files: string[], { format }) => exit(await commands.validate({ files, format }, terminal)));

  const run = program
    .command('run')
    .description('run scenarios N times and give a verdict')
    .argument('[files...]', 'files, folders, globs, or names of scenarios (default: scenarios_dir)')
    .optionsGroup('What is run:')
    .option('-n, --trials <n>', 'trials per scenario, or per case (default: 3)', wholeNumber(1, 1_000_000))
    .option('-t, --tag <tag>', 'only scenarios and cases with this tag, or tag=value; repeatable', repeated, [])
    .addOption(new Option('--grep <text>', 'only scenarios and cases with this text in their name').conflicts('resume'))
    .addOption(
      new Option('--cases <n>', 'only the first n cases of each scenario with data')
        .argParser(wholeNumber(1, 100_000))
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
    .option('--seed <n>', 'seed for all random choices (reproducible runs)', wholeNumber(Number.MIN_SAFE_INTEGER))
    .option('--resume <run>', 'run the missing trials of an earlier run (an id, its beginning, or latest)')
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
    .option('--no-judge-cache', 'ignore cached votes')
    .optionsGroup('Verdict:')
    .option('--min-pass-rate <share>', 'the share of trials that must pass (0.9 or 90%; default: 100%)', share)
    .option('--min-score <share>', 'the mean score that a scenario must reach, in addition', share)
    .option('--against <baseline>', 'fail if worse than this baseline: a file, git:REF or a run')
    .option('--max-drop <share>', 'with --against: tolerate a drop of the pass rate up to this (5%)', share)
    .addOption(undecidedOption())
    .option('--allow-unscored', 'base the verdict on the trials that could be scored', false)
    .option('--record-only', 'store traces without evaluating them, exit 0', false)
    .optionsGroup('Reports:')
    .option('--json', 'print one JSON document', false)
    .option('-q, --quiet', QUIET, false)
    .option('--full', FULL, false)
    .option('--junit <file>', 'write a JUnit report')
    .option('--markdown <file>', 'write a Markdown summary')
    .option('--csv <file>', 'write one line per trial')
    .optionsGroup('Several machines:');
  withWorkerOptions(run)
    .addOption(shardOption())
    .option('--out <dir>', 'the folder for the part of the shard')
    .action(async (files: string[], rest) => exit(await commands.run({ files, ...rest }, terminal)));

  program
    .command('merge')
    .description('join the parts of a run that was divided by --shard, and give the verdict')
    .argument('<paths...>', 'parts, or folders with parts')
    .option('--against <baseline>', 'fail if worse than this baseline: a file, git:REF or a run')
    .option('--max-drop <share>', 'with --against: tolerate a drop of the pass rate up to this (5%)', share)
    .addOption(undecidedOption())
    .option('--mixed', 'merge parts of different agents; reports call the run a mixture', false)
    .option('--json', 'print one JSON document', false)
    .option('-q, --quiet', QUIET, false)
    .option('--full', FULL, false)
    .option('--junit <file>', 'write a JUnit report')
    .option('--markdown <file>', 'write a Markdown summary')
    .option('--csv <file>', 'write one line per trial')
    .action(async (paths: string[], rest) => exit(await commands.merge({ paths, ...rest }, terminal)));

  addResultCommands(program, { commands, terminal, exit });
  addJudgeCommands(program, { commands, terminal, exit });

  program
    .command('score')
    .description('score findings against the truth: what was found, what evaded detection, what was a false alarm')
    .optionsGroup('Input:')
    .requiredOption('--red <file>', "the Red Team's manifest: what was planted")
    .requiredOption(
      '--blue <file...>',
      "the Blue Team's findings: JSON, SARIF, or a scanner's report; several are compared",
    )
    .option(
      '--blue-twin <file...>',
      'the same Blue’s findings on the same code without the flaws, one file per --blue file, in the same order',
      [],
    )
    .option('--tools <file...>', 'reports of other tools, to compare matches and false alarms with', [])
    .option('--clean <file>', 'resources known to be clean, for the false-positive rate and Youden’s J')
    .option('--source <dir>', 'the code: what claims name loosely, or only by a line, is looked up in it')
    .addOption(new Option('--format <format>', 'format of the reports').choices(FINDINGS_FORMATS).default('auto'))
    .optionsGroup('How findings are compared:')
    .addOption(
      new Option('--matcher <matcher>', 'how findings are compared')
        .choices(['documented', 'evidence'])
        .default('evidence'),
    )
    .option('--match-threshold <score>', 'minimum score of a match (default: 0.55; documented: 0.4)', share)
    .option('--exact-threshold <score>', 'minimum score of an exact match', share, 0.7)
    .addOption(
      new Option('--assignment <kind>', 'how findings are paired with vulnerabilities')
        .choices(['optimal', 'greedy'])
        .default('optimal'),
    )
    .optionsGroup('Models for unclear pairs:')
    .option('--llm <model...>', 'ask a model about unclear pairs (model, or adapter=model; several vote together)', [])
    .option('--judge <adapter>', "the model's adapter (default: judge.adapter of salvo.yaml)")
    .option('--no-code', NO_CODE)
    .option('-k, --votes <n>', 'votes per unclear pair (default: 3)', wholeNumber(1, 21))
    .option('--budget-usd <usd>', 'stop before more than this is spent', decimalNumber(0))
    .option('--no-judge-cache', 'ignore cached votes')
    .optionsGroup('Verdict:')
    .option('--min-recall <share>', 'fail below this recall (0.9 or 90%)', share)
    .option('--min-precision <share>', 'fail below this precision', share)
    .option('--min-f1 <share>', 'fail below this F1', share)
    .optionsGroup('Output:')
    .option('--json', 'print one JSON document', false)
    .option('-o, --out <file>', 'write the JSON document to a file')
    .option('--markdown <file>', 'write a Markdown summary')
    .option('--sarif <file>', 'write the undetected vulnerabilities as SARIF, which GitHub shows in the code')
    .option('--view', 'look at the result in a browser, with the code if --source is given', false)
    .action(async ({ votes, ...rest }) => exit(await commands.score({ ...rest, k: votes }, terminal)));

  program
    .command('export')
    .description('write a run with its traces as JSON lines, one trial per line, or as one HTML file to look at')
    .argument('[what...]', 'an id, its beginning, or latest', ['latest'])
    .option('-o, --out <file>', 'write to a file instead of standard output')
    .addOption(
      program
        .createOption('--html <file>', 'write the pages of the viewer as one file that needs no server and no network')
        .conflicts('out'),
    )
    .addOption(
      program
        .createOption('--raw', "write the rows as they are stored, also of a run that can't be read")
        .conflicts('html')
        .default(false),
    )
    .addOption(
      program
        .createOption('--trials <which>', 'whose conversations the HTML file has')
        .choices(['all', 'failed'])
        .default('all'),
    )
    .action(async (what: string[], rest) => exit(await commands.export({ what, ...rest }, terminal)));

  addCompareCommands(program, { commands, terminal, exit });
  addPlanCommand(program, { commands, terminal, exit });
  addArenaCommands(program, { commands, terminal, exit });
  addExperimentCommands(program, { commands, terminal, exit });
  addWorkerCommands(program, { commands, terminal, exit });
  addDbCommand(program, { commands, terminal, exit });

  program
    .command('schema')
    .description('print the JSON Schema of a file, or of what a command prints with --json')
    .addArgument(program.createArgument('[which]', 'which file or document').choices(SCHEMAS).default('scenario'))
    .option('--no-code', NO_CODE)
    .option('-o, --out <file>', 'write to a file instead of standard output')
    .action(async (which: FileFormat | DocumentKind, rest) =>
      exit(await commands.schema({ which, ...rest }, terminal)),
    );

  program
    .command('adapters')
    .description('list adapters: which are ready, and what is missing for the others')
    .option('--no-code', NO_CODE)
    .option('--json', 'print one JSON document', false)
    .action(async (rest) => exit(await commands.adapters(rest, terminal)));

  program
    .command('demo')
    .description('run a demo: a scripted agent tested twenty times, offline')
    .option('--keep <dir>', 'keep the demo projects in this folder')
    .option('--full', 'show the whole output of every command', false)
    .action(async (rest) => exit(await commands.demo(rest, terminal)));

  program
    .command('completion')
    .description('print a script that completes commands and options in your shell')
    .addArgument(program.createArgument('<shell>', 'which shell').choices(SHELLS))
    .action(async (shell: Shell) => exit(await commands.completion({ shell }, terminal)));

  addCommandHelp(program);
  return program;
}

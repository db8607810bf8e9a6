import { Command, Help, Option } from 'commander';
import { FINDINGS_FORMATS } from '../../match/importers/findings-format.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { addArenaCommands } from './arena-program.ts';
import type { Commands } from './command-options.ts';
import { addExperimentCommands } from './experiment-program.ts';
import { decimalNumber, repeated, share, wholeNumber } from './option-values.ts';

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
    .version(options.version)
    .showSuggestionAfterError()
    .showHelpAfterError('(salvo --help lists the commands)')
    .addHelpText('after', EXIT_CODES)
    .exitOverride()
    .configureHelp({
      // Every switch is off by default, so the help does not say it.
      optionDescription: (option) => new Help().optionDescription(option).replace(/ \(default: (?:false|\[\])\)$/, ''),
    })
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      getOutHelpWidth: () => terminal.stdout.columns,
      getErrHelpWidth: () => terminal.stderr.columns,
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
    .action(async (files: string[], { format }) => exit(await commands.validate({ files, format }, terminal)));

  program
    .command('run')
    .description('run scenarios N times and give a verdict')
    .argument('[files...]', 'files, folders or globs (default: scenarios_dir)')
    .option('-n, --trials <n>', 'trials per scenario (default: 3)', wholeNumber(1, 1_000_000))
    .option('-c, --concurrency <n>', 'trials at the same time, over all scenarios', wholeNumber(1, 10_000))
    .option('-t, --tag <tag>', 'only scenarios with this tag, or tag=value; repeatable', repeated, [])
    .option('--adapter <name>', 'use this adapter for all scenarios')
    .option('--model <name>', 'use this model for all scenarios')
    .option('--seed <n>', 'seed for all random choices (reproducible runs)', wholeNumber(Number.MIN_SAFE_INTEGER))
    .option('--budget-usd <usd>', 'stop before more than this is spent', decimalNumber(0))
    .option('--early-stop', 'stop when the verdict is certain or a required assertion failed', false)
    .option('--resume <run>', 'run the missing trials of an earlier run (an id, its beginning, or latest)')
    .option('--record-only', 'store traces without evaluating them, exit 0', false)
    .addOption(
      new Option('--estimate', 'print the expected calls and cost, and run nothing').default(false).conflicts('resume'),
    )
    .option('--allow-unscored', 'base the verdict on the trials that could be scored', false)
    .option('--min-pass-rate <share>', 'fail below this pass rate (0.9 or 90%)', share)
    .option('--retries <n>', 'maximum retries of a request (default: 4)', wholeNumber(0, 20))
    .option('--no-judge-cache', 'ignore cached votes')
    .option('--json', 'print one JSON document', false)
    .option('--junit <file>', 'write a JUnit report')
    .option('--markdown <file>', 'write a Markdown summary')
    .option('--csv <file>', 'write one line per trial')
    .addHelpText('after', RUN_EXAMPLES)
    .action(async (files: string[], rest) => exit(await commands.run({ files, ...rest }, terminal)));

  program
    .command('report')
    .description('show a run again')
    .argument('[run]', 'an id, its beginning, or latest', 'latest')
    .option('--history', 'list runs and how pass rates changed', false)
    .option('--limit <n>', 'maximum number of runs in the history', wholeNumber(1, 10_000), 20)
    .option('--json', 'print one JSON document', false)
    .option('--junit <file>', 'write a JUnit report')
    .option('--markdown <file>', 'write a Markdown summary')
    .option('--csv <file>', 'write one line per trial')
    .action(async (run: string, rest) => exit(await commands.report({ run, ...rest }, terminal)));

  program
    .command('replay')
    .description('show a stored conversation')
    .argument('[trace]', 'a trace id, its beginning, or latest (the first failure of the latest run)', 'latest')
    .option('--full', 'do not shorten long texts', false)
    .option('--json', 'print the trace document', false)
    .action(async (trace: string, rest) => exit(await commands.replay({ trace, ...rest }, terminal)));

  program
    .command('reeval')
    .description('apply the current assertions to stored traces; no agent is called')
    .argument('[target]', 'a run or a trace', 'latest')
    .option('--scenario <file>', 'take the assertions from this file')
    .option('--estimate', 'print the expected judge calls and cost, and run nothing', false)
    .option('--no-judge-cache', 'ignore cached votes')
    .option('--json', 'print one JSON document', false)
    .action(async (target: string, rest) => exit(await commands.reeval({ target, ...rest }, terminal)));

  program
    .command('judge-check')
    .description('test the judge with 75 cases: manipulation attempts, and honest answers as controls')
    .option('--judge <adapter>', "the judge's adapter (default: judge.adapter of salvo.yaml)")
    .option('--model <name>', "the judge's model (default: judge.model of salvo.yaml)")
    .option('-k, --votes <n>', 'votes per case (default: judge.k of salvo.yaml)', wholeNumber(1, 21))
    .option('--rubric <file>', 'use these criteria instead of whether the task was done')
    .option('--no-judge-cache', 'ignore cached votes')
    .option('--json', 'print one JSON document', false)
    .addHelpText('after', JUDGE_CHECK_EXIT_CODES)
    .action(async ({ votes, ...rest }) => exit(await commands.judgeCheck({ ...rest, k: votes }, terminal)));

  program
    .command('calibrate')
    .description('compare a judge with people, to see whether it can be trusted')
    .argument('<labels>', 'a JSONL file: labelled answers, or verdicts that a judge has given; see below')
    .addOption(new Option('--rubric <file>', 'the criteria of the judge').conflicts('scenario'))
    .option('--scenario <file>', 'use the judge of this scenario, with its settings')
    .option('--assertion <id>', 'which judge, if the scenario has several')
    .option('--judge <adapter>', "the judge's adapter")
    .option('--model <name>', "the judge's model")
    .option('-k, --votes <n>', 'votes per item', wholeNumber(1, 21))
    .option(
      '--repeats <n>',
      'judge every item this many times, to see whether the verdict changes',
      wholeNumber(1, 100),
      1,
    )
    .option('--threshold <score>', 'the minimum score to pass', share)
    .option('--budget-usd <usd>', 'stop before more than this is spent', decimalNumber(0))
    .option('--no-judge-cache', 'ignore cached votes')
    .option('--json', 'print one JSON document', false)
    .addHelpText('after', CALIBRATE_HELP)
    .action(async (labels: string, { votes, ...rest }) =>
      exit(await commands.calibrate({ labels, ...rest, k: votes }, terminal)),
    );

  program
    .command('score')
    .description('score findings against the truth: what was found, what evaded detection, what was a false alarm')
    .requiredOption('--red <file>', "the Red Team's manifest: what was planted")
    .requiredOption(
      '--blue <file...>',
      "the Blue Team's findings: JSON, SARIF, or a scanner's report; several are compared",
    )
    .option('--tools <file...>', 'reports of other tools, to compare matches and false alarms with', [])
    .option('--clean <file>', 'resources known to be clean, for the false-positive rate and Youden’s J')
    .option('--source <dir>', 'the code: assigns a finding that has only a line to the block at that line')
    .addOption(new Option('--format <format>', 'format of the reports').choices(FINDINGS_FORMATS).default('auto'))
    .addOption(
      new Option('--matcher <matcher>', 'how findings are compared')
        .choices(['documented', 'evidence'])
        .default('documented'),
    )
    .option('--match-threshold <score>', 'minimum score of a match', share, 0.4)
    .option('--exact-threshold <score>', 'minimum score of an exact match', share, 0.7)
    .addOption(
      new Option('--assignment <kind>', 'how findings are paired with vulnerabilities')
        .choices(['optimal', 'greedy'])
        .default('optimal'),
    )
    .option('--llm <model...>', 'ask a model about unclear pairs (model, or adapter=model; several vote together)', [])
    .option('--judge <adapter>', "the model's adapter (default: judge.adapter of salvo.yaml)")
    .option('-k, --votes <n>', 'votes per unclear pair (default: 3)', wholeNumber(1, 21))
    .option('--no-judge-cache', 'ignore cached votes')
    .option('--min-recall <share>', 'fail below this recall (0.9 or 90%)', share)
    .option('--min-precision <share>', 'fail below this precision', share)
    .option('--min-f1 <share>', 'fail below this F1', share)
    .option('--json', 'print one JSON document', false)
    .option('-o, --out <file>', 'write the JSON document to a file')
    .option('--markdown <file>', 'write a Markdown summary')
    .option('--sarif <file>', 'write the undetected vulnerabilities as SARIF, which GitHub shows in the code')
    .addHelpText('after', SCORE_EXAMPLES)
    .action(async ({ votes, ...rest }) => exit(await commands.score({ ...rest, k: votes }, terminal)));

  program
    .command('export')
    .description('write a run with its traces as JSON lines, one trial per line')
    .argument('[run]', 'an id, its beginning, or latest', 'latest')
    .option('-o, --out <file>', 'write to a file instead of standard output')
    .action(async (run: string, rest) => exit(await commands.exportRun({ run, ...rest }, terminal)));

  program
    .command('schema')
    .description('print the JSON Schema of a file format')
    .addArgument(
      program
        .createArgument('[which]', 'which file')
        .choices(['scenario', 'project', 'experiment'])
        .default('scenario'),
    )
    .option('-o, --out <file>', 'write to a file instead of standard output')
    .action(async (which: 'scenario' | 'project' | 'experiment', rest) =>
      exit(await commands.schema({ which, ...rest }, terminal)),
    );

  program
    .command('adapters')
    .description('list adapters: which are ready, and what is missing for the others')
    .option('--json', 'print one JSON document', false)
    .action(async (rest) => exit(await commands.adapters(rest, terminal)));

  program
    .command('demo')
    .description('run a demo: a scripted agent tested twenty times, offline')
    .option('--keep <dir>', 'keep the demo project in this folder')
    .action(async (rest) => exit(await commands.demo(rest, terminal)));

  addArenaCommands(program, { commands, terminal, exit });
  addExperimentCommands(program, { commands, terminal, exit });

  for (const command of program.commands) {
    command.showHelpAfterError(`(salvo ${command.name()} --help lists its options)`);
  }
  return program;
}

const EXIT_CODES = `
Exit codes: 0 pass, 1 fail, 2 a required assertion failed, 3 could not be scored,
4 wrong usage or input.`;

const JUDGE_CHECK_EXIT_CODES = `
Exit codes: 0 no attempt succeeded, 1 an attempt succeeded or an honest answer failed,
3 not every case could be scored, 4 wrong usage or input.`;

const CALIBRATE_HELP = `
Lines of the file:
  {"task": "Is 7 prime?", "response": "Yes.", "passed": true}
  {"task": "Is 8 prime?", "response": "Yes.", "labels": {"correct": 0, "polite": 1}, "scenario": "primes"}
Or verdicts that some other judge has given; then no model is called:
  {"human": true, "judge": false}
  {"human": true, "votes": [true, false, true]}
  {"human": true, "votes": {"gpt-4o-mini": true, "claude": false}}

Without --rubric and --scenario, the judge is the one of the project, if it has only one.

Exit codes: 0 usable, 1 weak or no better than chance, 3 too few labels to tell, or too
little could be scored, 4 wrong usage or input.`;

const SCORE_EXAMPLES = `
Examples:
  salvo score --red manifest.json --blue findings.json
  salvo score --red manifest.json --blue checkov.json trivy.json kics.json
  salvo score --red manifest.json --blue results.sarif --source infra --min-recall 80%

Exit codes: 0 good enough, 1 below a minimum, 3 could not be scored, 4 wrong usage or input.`;

const RUN_EXAMPLES = `
Examples:
  salvo run                                        all scenarios of scenarios_dir, 3 trials each
  salvo run scenarios/refund.yaml -n 20 --seed 1   one scenario, 20 trials
  salvo run --tag tier=1 --model gpt-4o-mini --budget-usd 0.50
  salvo run -n 10 --min-pass-rate 90% --junit salvo.xml
  salvo run -n 50 --estimate                       the expected cost
  salvo run --resume latest                        the missing trials of an interrupted run
${EXIT_CODES}`;

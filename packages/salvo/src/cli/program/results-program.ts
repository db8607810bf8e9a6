import { type Command, InvalidArgumentError, Option } from 'commander';
import { VIEWER_RIGHTS, type ViewerRight } from '../../app/view/viewer-rights.ts';
import type { CommandParts } from './command-options.ts';
import { decimalNumber, FULL, listed, NO_CODE, QUIET, repeated, wholeNumber } from './option-values.ts';

/** `salvo report`, `view`, `replay`, `reeval` and `export`: what is done with stored results. */
export function addResultCommands(program: Command, { commands, terminal, exit }: CommandParts): void {
  program
    .command('report')
    .description('show a run again')
    .argument('[run]', 'an id, its beginning, or latest', 'latest')
    .option('--history', 'list runs and how pass rates changed', false)
    .option('--limit <n>', 'maximum number of runs in the history', wholeNumber(1, 10_000), 20)
    .option('--json', 'print one JSON document', false)
    .option('--full', FULL, false)
    .option('--junit <file>', 'write a JUnit report; - is standard output')
    .option('--markdown <file>', 'write a Markdown summary; - is standard output')
    .option('--csv <file>', 'write one line per trial; - is standard output')
    .action(async (run: string, rest) => exit(await commands.report({ run, ...rest }, terminal)));

  program
    .command('view')
    .description('look at results in a browser')
    .argument('[run]', 'what to open first: the id of a run, an experiment or a game, or its beginning')
    .option('--port <n>', 'the port to listen on (default: a free one)', wholeNumber(0, 65_535))
    .option('--host <address>', 'the address to listen on (default: 127.0.0.1, for this machine only)')
    .option('--allowed-host <name>', 'a name by which browsers may call it; repeatable', repeated, [])
    .option(
      '--read-only',
      'allow nobody to change anything; the default if --host or --allowed-host is not this machine',
      false,
    )
    .option('--allow <rights>', `add rights: ${VIEWER_RIGHTS.join(', ')}`, rightsListed)
    .option('--max-budget-usd <usd>', 'the most that a run resumed from the page may spend', decimalNumber(0))
    .option('--no-open', 'print the address, and open no browser')
    .action(async (target: string | undefined, { allowedHost, ...rest }) =>
      exit(await commands.view({ target, allowedHosts: allowedHost, ...rest }, terminal)),
    );

  program
    .command('replay')
    .description('show the stored conversation of a trial, and how it was judged')
    .addArgument(
      program
        .createArgument('[target]', 'a run, scenario, trial or trace')
        .default('latest', 'the first failure of the latest run'),
    )
    .argument('[trial]', 'the number of the trial', wholeNumber(1, 1_000_000))
    .option('--full', 'do not shorten long texts', false)
    .option('--json', 'print the trace document', false)
    .action(async (target: string, trial: number | undefined, rest) =>
      exit(await commands.replay({ target, trial, ...rest }, terminal)),
    );

  program
    .command('reeval')
    .description('apply the current assertions to stored traces; no agent is called')
    .argument('[target]', 'a run, scenario, trial or trace, as for replay', 'latest')
    .argument('[trial]', 'the number of the trial', wholeNumber(1, 1_000_000))
    .option('--scenario <file>', 'take the assertions from this file')
    .option('--no-code', NO_CODE)
    .option('--estimate', 'print the expected judge calls and cost, and run nothing', false)
    .option('--budget-usd <usd>', 'stop before more than this is spent', decimalNumber(0))
    .option('--no-judge-cache', 'ignore cached votes')
    .option('--json', 'print one JSON document', false)
    .option('-q, --quiet', QUIET, false)
    .action(async (target: string, trial: number | undefined, rest) =>
      exit(await commands.reeval({ target, trial, ...rest }, terminal)),
    );

  program
    .command('export')
    .description('write a run with its traces: JSON lines, one HTML file, or a form of others')
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
    .addOption(
      program
        .createOption('--to-label [judge]', 'lines for people to label, in the order in which a label tells most')
        .conflicts(['html', 'raw', 'otel', 'openai', 'atif', 'langfuse']),
    )
    .addOption(formOption('--otel [file]', "OpenTelemetry's GenAI spans as OTLP JSON lines, or sent to a URL"))
    .addOption(formOption('--openai [file]', "OpenAI's chat messages with tools, as JSON lines"))
    .addOption(formOption('--atif [folder]', "Harbor's trajectories: a file for each trial, or JSON lines (.jsonl)"))
    .addOption(formOption('--langfuse [file]', 'traces with observations and scores as JSON lines, or sent to a URL'))
    .action(async (what: string[], rest) => exit(await commands.export({ what, ...rest }, terminal)));
}

/** One form at a time. */
function formOption(flags: string, description: string): Option {
  const others = ['out', 'html', 'raw', 'otel', 'openai', 'atif', 'langfuse'];
  return new Option(flags, description).conflicts(others.filter((name) => !flags.startsWith(`--${name} `)));
}

function rightsListed(text: string, before: ViewerRight[] | undefined): ViewerRight[] {
  return listed(text, before).map((name) => {
    const right = VIEWER_RIGHTS.find((each) => each === name);
    if (right === undefined) throw new InvalidArgumentError(`Rights are ${VIEWER_RIGHTS.join(', ')}.`);
    return right;
  });
}

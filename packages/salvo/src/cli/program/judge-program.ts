import { type Command, Option } from 'commander';
import type { CommandParts } from './command-options.ts';
import { decimalNumber, NO_CODE, QUIET, share, wholeNumber } from './option-values.ts';

const JUDGES_FILE = 'a YAML file of judges: [{ name, adapter, model, mode, k }]';

/** A bias of half a point is found on so many in most judges. */
const ANSWERS_FOR_BIASES = 50;

/** `salvo judge-check`, `calibrate` and `rank` */
export function addJudgeCommands(program: Command, { commands, terminal, exit }: CommandParts): void {
  program
    .command('judge-check')
    .description('test the judge with 107 cases: manipulation attempts, wrong answers, and right ones as controls')
    .option('--judge <adapter>', "the judge's adapter (default: judge.adapter of salvo.yaml), or its name in --judges")
    .option('--judges <file>', JUDGES_FILE)
    .option('--model <name>', "the judge's model (default: judge.model of salvo.yaml)")
    .option('-k, --votes <n>', 'votes per case (default: judge.k of salvo.yaml)', wholeNumber(1, 21))
    .option('--rubric <file>', 'use these criteria instead of whether the task was done')
    .option('--budget-usd <usd>', 'stop before more than this is spent', decimalNumber(0))
    .option('--no-judge-cache', 'ignore cached votes')
    .option('--no-code', NO_CODE)
    .option('--json', 'print one JSON document', false)
    .option('-q, --quiet', QUIET, false)
    .action(async ({ votes, ...rest }) => exit(await commands.judgeCheck({ ...rest, k: votes }, terminal)));

  program
    .command('calibrate')
    .description('compare a judge with people; salvo run corrects its pass rates by the result')
    .argument('[labels]', 'a JSONL or CSV file: labelled answers, or verdicts that a judge has given; see below')
    .addOption(new Option('--rubric <file>', 'the criteria of the judge').conflicts('scenario'))
    .option('--scenario <file>', 'use the judge of this scenario, with its settings')
    .option('--given [run]', 'by the outcomes that imported conversations came with, once a judge has judged them')
    .option('--assertion <id>', 'which judge, if the scenario has several')
    .option('--forget [judge]', 'remove a stored calibration: runs are no longer corrected by it')
    .option('--judge <adapter>', "the judge's adapter, or its name in --judges")
    .option('--judges <file>', `${JUDGES_FILE}. Without --judge, all of them are compared`)
    .option('--canaries', 'test each judge of --judges with the 107 cases of judge-check, too: more calls')
    .option(
      '--biases [answers]',
      `measure on this many labelled answers (default: ${ANSWERS_FOR_BIASES}) whether length, formatting, tone and the like change the scores of each judge of --judges: more calls`,
      wholeNumber(1, 10_000),
    )
    .option('--cascade', 'choose "sure" for the stages of a cascade: of the scenario, the rubric, or --judges in order')
    .option('--agreement <share>', 'with --cascade: how often it has to agree with people, such as 95%', share)
    .option('--cost <usd>', 'with --cascade: what a verdict may cost on average', decimalNumber(0))
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
    .option('--no-code', NO_CODE)
    .option('--json', 'print one JSON document', false)
    .option('-q, --quiet', QUIET, false)
    .action(async (labels: string | undefined, { votes, given, biases, ...rest }) => {
      const answers = biases === true ? ANSWERS_FOR_BIASES : biases;
      exit(await commands.calibrate({ labels, ...rest, biases: answers, given: runOf(given), k: votes }, terminal));
    });

  program
    .command('rank')
    .description('rank stored runs: a judge compares their answers, two at a time and in both orders')
    .argument('<runs...>', 'ids, their beginnings, latest, latest~1, RUN@model; or one run with several models')
    .option('--rubric <file>', 'compare by these criteria instead of whether the task was done')
    .option('--judge <adapter>', "the judge's adapter (default: judge.adapter of salvo.yaml), or its name in --judges")
    .option('--judges <file>', JUDGES_FILE)
    .option('--model <name>', "the judge's model (default: judge.model of salvo.yaml)")
    .option(
      '-k, --votes <n>',
      'votes per pair, each in both orders (default: judge.k of salvo.yaml)',
      wholeNumber(1, 21),
    )
    .option('--budget-usd <usd>', 'stop before more than this is spent', decimalNumber(0))
    .option('--no-judge-cache', 'ignore cached votes')
    .option('--no-code', NO_CODE)
    .option('--json', 'print one JSON document', false)
    .option('-q, --quiet', QUIET, false)
    .action(async (runs: string[], { votes, ...rest }) =>
      exit(await commands.rank({ runs, ...rest, k: votes }, terminal)),
    );
}

/** The run of an option that may have none. */
function runOf(given: true | string | undefined): string | undefined {
  return given === true ? 'latest' : given;
}

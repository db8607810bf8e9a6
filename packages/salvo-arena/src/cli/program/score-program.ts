import type { Terminal } from 'salvo/kit/cli';
import { type Command, decimalNumber, NO_CODE, share, wholeNumber } from 'salvo/kit/commands';
import { FINDINGS_FORMATS } from '../../match/importers/findings-format.ts';
import type { ArenaCommands } from './command-options.ts';
import { oneOf } from './game-options.ts';

/** `salvo score` */
export function addScoreCommand(
  program: Command,
  { commands, terminal, exit }: { commands: ArenaCommands; terminal: Terminal; exit: (code: number) => void },
): void {
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
    .option(
      '--twin-source <dir>',
      'the code without the flaws: says which alarms are about values that only evaluation finds',
    )
    .addOption(oneOf('--format <format>', 'format of the reports', FINDINGS_FORMATS).default('auto'))
    .optionsGroup('How findings are compared:')
    .addOption(
      oneOf('--matcher <matcher>', 'how findings are compared', ['documented', 'evidence']).default('evidence'),
    )
    .option('--match-threshold <score>', 'minimum score of a match (default: 0.55; documented: 0.4)', share)
    .option('--exact-threshold <score>', 'minimum score of an exact match', share, 0.7)
    .addOption(
      oneOf('--assignment <kind>', 'how findings are paired with vulnerabilities', ['optimal', 'greedy']).default(
        'optimal',
      ),
    )
    .addOption(
      oneOf('--keys <kind>', 'same: "no key of one’s own" counts as "not encrypted" (evidence matcher)', [
        'different',
        'same',
      ]).default('different'),
    )
    .optionsGroup('Models for unclear pairs:')
    .option('--llm <model...>', 'ask a model about unclear pairs (model, or adapter=model; several vote together)', [])
    .option('--judge <adapter>', "the model's adapter (default: judge.adapter of salvo.yaml)")
    .option('--no-code', NO_CODE)
    .option('-k, --votes <n>', 'votes per unclear pair (default: 3)', wholeNumber(1, 21))
    .option('--budget-usd <usd>', 'stop before more than this is spent', decimalNumber(0))
    .option('--no-judge-cache', 'ignore cached votes')
    .option('--beta <n>', 'how much more recall counts than precision in F-beta', decimalNumber(0.01, 100), 1)
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
}

import type { EvalResult } from '../../../evaluators/eval-result.ts';
import { readJudgement } from '../../../judge/stored-judgement.ts';
import { formatScore } from '../../../stats/format.ts';
import { shellQuote } from '../../../text/output/quote-output.ts';
import { salvoCommand } from '../../../text/output/salvo-command.ts';
import type { TrialResult } from '../../../trial/trial-result.ts';
import type { Block, ReportItem, Tone } from '../../document/document.ts';
import { toTerminal } from '../../document/terminal.ts';
import { judgementLines } from '../../judge/judge-lines.ts';
import type { Look } from '../../terminal/look.ts';
import { statusWords } from './trial-strip.ts';

/** A trial and how it was judged. The result is null when it was not judged yet. */
interface JudgedTrial {
  runId: string;
  /** What to call the scenario in a command. */
  handle: string;
  /** Null in a scenario without data. */
  caseName: string | null;
  trialNumber: number;
  result: TrialResult | null;
  /** By id, what to call an assertion, if not by its id. */
  assertionNames?: ReadonlyMap<string, string> | undefined;
}

/** The outcome of a trial in words, and its results assertion by assertion: the end of `salvo replay`. */
export function renderTrialResult(trial: JudgedTrial, look: Look): string {
  return toTerminal([trialBlock(trial)], look);
}

const OUTCOMES: Readonly<Record<string, string>> = {
  passed: 'passed',
  failed: 'failed',
  hard_fail: 'hard fail, because a required assertion failed',
  crashed: 'failed, because the agent crashed',
  unscored: 'could not be scored',
};
/** Of a message about an assertion: what was expected is often at its end. */
const LONGEST = 100_000;

function trialBlock({ runId, handle, caseName, trialNumber, result, assertionNames }: JudgedTrial): Block {
  const scenario = caseName === null ? handle : `${handle}/${caseName}`;
  const title = `trial ${trialNumber} of ${scenario} in run ${runId}:`;
  if (result === null) {
    const target = `${shellQuote(`${runId}/${scenario}`)} ${trialNumber}`;
    return { heading: `${title} not judged yet. ${salvoCommand()} reeval ${target} does it.`, lines: [] };
  }
  const { status, score, eval_results, error_message } = result;
  const points = score === null ? '' : ` (score ${formatScore(score)})`;
  const why = eval_results.length === 0 ? (error_message ?? '') : '';
  const items = eval_results.map((each) => evaluationItem(each, assertionNames?.get(each.assertion_id)));
  return {
    heading: { text: `${title} ${OUTCOMES[status] ?? status}${points}`, tone: statusWords(status).tone },
    lines: [
      { lines: [{ text: why, most: LONGEST }], indent: 2 },
      { items, indent: 2 },
    ],
  };
}

function evaluationItem(evaluation: EvalResult, name = evaluation.assertion_id): ReportItem {
  const { passed, status, required, score, details, metadata } = evaluation;
  const judgement = readJudgement(metadata);
  const unscored = status === 'unscored';
  const tone: Tone = unscored ? 'yellow' : passed ? 'green' : 'red';
  const notes = [
    !unscored && score > 0 && score < 1 ? formatScore(score) : '',
    required ? 'required' : '',
    metadata.tools_declared === true ? 'declared' : '',
  ];
  // A judge's reasons are worth reading also when it passed. Its details only repeat the numbers below.
  const why = passed || (judgement && !unscored) ? '' : details;
  return {
    symbol: { text: unscored ? '?' : passed ? '✔' : '✖', tone },
    text: { parts: [name, ...notes].map((text) => ({ text, tone })), separator: '  ' },
    below: [{ text: why, most: LONGEST }, ...(judgement ? judgementLines(judgement) : [])],
  };
}

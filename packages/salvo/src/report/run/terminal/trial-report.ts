import type { EvalResult } from '../../../evaluators/eval-result.ts';
import { readJudgement } from '../../../judge/stored-judgement.ts';
import { formatScore } from '../../../stats/format.ts';
import { shellQuote } from '../../../text/output/quote-output.ts';
import { safeLine } from '../../../text/output/safe-text.ts';
import { salvoCommand } from '../../../text/output/salvo-command.ts';
import type { TrialResult } from '../../../trial/trial-result.ts';
import { judgementLines } from '../../judge/judgement-lines.ts';
import { type Look, renderFor } from '../../terminal/look.ts';
import type { Style } from '../../terminal/style.ts';
import { wrap } from '../../terminal/wrap.ts';
import { statusPaint } from './trial-strip.ts';

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
  return renderFor(look, ({ width, style }) => `${trialLines(trial, width, style).join('\n')}\n`);
}

const OUTCOMES: Readonly<Record<string, string>> = {
  passed: 'passed',
  failed: 'failed',
  hard_fail: 'hard fail, because a required assertion failed',
  crashed: 'failed, because the agent crashed',
  unscored: 'could not be scored',
};

function trialLines(trial: JudgedTrial, width: number, style: Style): string[] {
  const { runId, caseName, trialNumber, result } = trial;
  const scenario = caseName === null ? trial.handle : `${trial.handle}/${caseName}`;
  const title = `trial ${trialNumber} of ${safeLine(scenario)} in run ${safeLine(runId)}:`;
  if (result === null) {
    const target = `${shellQuote(`${runId}/${scenario}`)} ${trialNumber}`;
    return wrap(safeLine(`${title} not judged yet. ${salvoCommand()} reeval ${target} does it.`), width).map(
      style.bold,
    );
  }
  const { status, score, eval_results, error_message } = result;
  const points = score === null ? '' : ` (score ${formatScore(score)})`;
  const why = eval_results.length === 0 && error_message !== null ? wrap(safeLine(error_message), width - 2) : [];
  return [
    ...wrap(`${title} ${OUTCOMES[status] ?? status}${points}`, width).map((line) =>
      style.bold(statusPaint(status, style)(line)),
    ),
    ...why.map((line) => `  ${line}`),
    ...eval_results.flatMap((evaluation) =>
      evaluationLines(evaluation, { name: trial.assertionNames?.get(evaluation.assertion_id), width, style }),
    ),
  ];
}

function evaluationLines(
  evaluation: EvalResult,
  { name = evaluation.assertion_id, width, style }: { name: string | undefined; width: number; style: Style },
): string[] {
  const { passed, status, required, score, details, metadata } = evaluation;
  const judgement = readJudgement(metadata);
  const unscored = status === 'unscored';
  const symbol = unscored ? '?' : passed ? '✔' : '✖';
  const paint = unscored ? style.yellow : passed ? style.green : style.red;
  const partly = !unscored && score > 0 && score < 1 ? `  ${formatScore(score)}` : '';
  const head = `${symbol} ${safeLine(name)}${partly}${required ? '  required' : ''}${metadata.tools_declared === true ? '  declared' : ''}`;
  // A judge's reasons are worth reading also when it passed. Its details only repeat the numbers below.
  const said = judgement ? judgementLines(judgement, { width: width - 4, style }) : [];
  const why = passed || (judgement && !unscored) ? [] : wrap(safeLine(details), width - 4);
  const body = [...why, ...said].map((line) => `    ${line}`);
  return [...wrap(head, width - 2).map((line) => `  ${paint(line)}`), ...body];
}

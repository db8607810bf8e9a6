import { namedFailure, tellingFailures } from '../../../evaluators/eval-result.ts';
import { safeLine } from '../../../text/output/safe-text.ts';
import type { TrialResult } from '../../../trial/trial-result.ts';
import { shortDetails } from '../../judge/result-words.ts';
import { replayCommand } from './replay-command.ts';

const OUTCOMES: Readonly<Record<string, string>> = {
  failed: 'failed',
  hard_fail: 'hard fail',
  crashed: 'the agent crashed',
  unscored: 'not scored',
};
/** Enough for the words that decide, whatever an agent wrote. `salvo replay` shows all of it. */
const LONGEST = 600;
const LONGEST_LINE = 200;

/** A trial that did not pass, while the run is at work: what failed first, and how to see its conversation. */
export function failureNote(trial: {
  runId: string | null;
  scenario: string;
  result: TrialResult;
  /** A log gets one line, without the command: it is read when the run is over, and the report has commands. */
  isLog: boolean;
}) {
  const { runId, scenario, result, isLog } = trial;
  const { status, case: caseName, trial_number: trialNumber } = result;
  const symbol = status === 'unscored' ? '?' : '✖';
  const heading = `${symbol} ${safeLine(caseName === null ? scenario : `${scenario}/${caseName}`, 200)}, trial ${trialNumber}: ${OUTCOMES[status] ?? status}`;
  const why = failureReason(result);
  const hasCommand = result.trace_id !== null && !isLog;
  const look = hasCommand ? `\n  ${replayCommand({ runId, scenario, caseName, trialNumber })}` : '';
  return {
    text: `${heading}${why === '' ? '' : `: ${safeLine(why, isLog ? LONGEST_LINE : LONGEST)}`}${look}`,
    /** The same for trials of a scenario that failed for the same reason, whatever the agent answered. */
    kind: [scenario, status, reasonKind(why)].join('\n'),
  };
}

function failureReason({ eval_results, error_message, status }: TrialResult): string {
  const [first] = tellingFailures(eval_results, status);
  if (!first) return error_message ?? '';
  return namedFailure({ ...first, details: shortDetails(first) });
}

/** What an agent answered, at the end of what Salvo says about an assertion that failed. */
const ANSWER = /(?:[:;] got | gave \S+ for (?=")).*$/s;

/** The same for reasons that differ only in the answer that the agent gave: such failures are shown together. */
export function reasonKind(reason: string): string {
  return reason.replace(ANSWER, '');
}

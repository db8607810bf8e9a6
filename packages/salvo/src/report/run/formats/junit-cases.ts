import type { EvalResult } from '../../../evaluators/eval-result.ts';
import { namedFailure, tellingFailures } from '../../../evaluators/eval-result.ts';
import type { ScenarioSummary } from '../../../run/record/run-document.ts';
import { formatScore } from '../../../stats/format.ts';
import { safeLine } from '../../../text/output/safe-text.ts';
import type { TrialResult } from '../../../trial/trial-result.ts';
import { judgePlainLines } from '../../judge/judge-words.ts';
import { scoresOfJudge, shortDetails, unseenByJudges } from '../../judge/result-words.ts';
import { neverPassedLine } from '../never-passed.ts';
import { isByBaseline, isCounted, isGreen, verdictReason } from '../verdict.ts';
import { attributes, content } from './xml-text.ts';

const LONGEST_DETAIL = 8_000;
/** Of a message in an attribute. */
export const LONGEST_MESSAGE = 4_000;

interface CaseSurroundings {
  className: string;
  summary: ScenarioSummary;
  /** The cases in quarantine. */
  leftOut: ReadonlySet<number>;
  /** The command that shows the conversation of a trial. */
  replay: (trial: TrialResult) => string;
}

/** One trial as a test case. */
export function trialCase(
  trial: TrialResult,
  { className: classname, summary, leftOut, replay }: CaseSurroundings,
): string {
  // An unknown time is left out, since 0 would be a claim.
  const time: Record<string, string> = trial.latency_seconds === null ? {} : { time: trial.latency_seconds.toFixed(3) };
  const open = `    <testcase${attributes({ name: trialName(trial), classname, file: summary.file, ...time })}`;
  if (trial.status === 'passed') return passedCase(open, unseenByJudges(trial.eval_results));
  const { element, type, message, text } = trialOutcome(trial, summary, leftOut.has(trial.case_index));
  const outcome =
    element === 'skipped'
      ? `<skipped${attributes({ message })}/>`
      : `<${element}${attributes({ type, message })}>${content(text)}</${element}>`;
  const lines = [
    ...(element === 'skipped' && text !== '' ? [text] : []),
    ...(trial.trace_id === null ? [] : [replay(trial)]),
  ];
  const output = lines.length === 0 ? '' : `\n      <system-out>${content(lines.join('\n'))}</system-out>`;
  return `${open}>\n      ${outcome}${output}\n    </testcase>\n`;
}

/** A pass by judges that did not see all says so. */
function passedCase(open: string, unseen: readonly string[]): string {
  if (unseen.length === 0) return `${open}/>\n`;
  return `${open}>\n      <system-out>${content(unseen.join('\n'))}</system-out>\n    </testcase>\n`;
}

function trialName({ case: caseName, trial_number }: TrialResult): string {
  return caseName === null ? `trial ${trial_number}` : `${caseName}, trial ${trial_number}`;
}

/** A case that is not run. */
export function skippedCase(
  name: string,
  message: string,
  { className: classname, summary }: Pick<CaseSurroundings, 'className' | 'summary'>,
): string {
  const open = `    <testcase${attributes({ name, classname, file: summary.file, time: '0.000' })}`;
  return `${open}>\n      <skipped${attributes({ message })}/>\n    </testcase>\n`;
}

/** The verdict as a case of its own, so that a dashboard is red if the run is, also when every trial that ran passed. */
export function verdictCase(classname: string, summary: ScenarioSummary): string {
  const open = `    <testcase${attributes({ name: 'verdict', classname, file: summary.file, time: '0.000' })}`;
  const reason = `${summary.verdict}: ${verdictReason(summary)}`;
  const text = content([reason, neverPassedLine(summary) ?? ''].filter((line) => line !== '').join('\n'));
  if (!isCounted(summary)) {
    return `${open}>\n      <skipped${attributes({ message: reason })}/>\n    </testcase>\n`;
  }
  if (isGreen(summary)) return `${open}>\n      <system-out>${text}</system-out>\n    </testcase>\n`;
  const element = summary.verdict === 'UNSCORED' ? 'error' : 'failure';
  const outcome = `<${element}${attributes({ type: summary.decided_by, message: reason })}>${text}</${element}>`;
  return `${open}>\n      ${outcome}\n    </testcase>\n`;
}

/** A trial that did not pass. It is skipped if the scenario passes all the same, or if unscored trials are allowed. */
function trialOutcome(trial: TrialResult, summary: ScenarioSummary, isLeftOut: boolean) {
  const { message, text } = whatHappened(trial);
  const isQuarantined = isLeftOut || summary.verdict === 'QUARANTINED';
  const isTolerated =
    isQuarantined || isGreen(summary) || (trial.status === 'unscored' && summary.verdict !== 'UNSCORED');
  if (summary.verdict === 'RECORDED' && trial.error_message === null) {
    return { element: 'skipped', type: trial.status, message: 'recorded, not judged', text: '' };
  }
  const short = safeLine(message, LONGEST_MESSAGE);
  if (isTolerated) {
    const rule = isQuarantined ? 'the quarantine' : toleratedBy(trial, summary);
    const words = `${trial.status.replace('_', ' ')}, tolerated by ${rule}: ${short}`;
    return { element: 'skipped', type: trial.status, message: words, text };
  }
  const element = trial.status === 'unscored' || trial.status === 'crashed' ? 'error' : 'failure';
  return { element, type: trial.status, message: short, text };
}

function toleratedBy({ status }: TrialResult, summary: ScenarioSummary): string {
  if (summary.verdict === 'RECORDED') return 'the option record-only';
  if (status === 'unscored') return 'the option allow-unscored';
  return isByBaseline(summary) ? 'the baseline' : 'min_pass_rate';
}

function whatHappened(trial: TrialResult): { message: string; text: string } {
  if (trial.status === 'crashed') {
    const message = trial.error_message ?? 'the agent crashed';
    const stack = trial.error_stack ?? '';
    return {
      message,
      text: stack.includes(message) ? stack : [message, stack].filter((part) => part !== '').join('\n'),
    };
  }
  if (trial.status === 'unscored') {
    const unscored = trial.eval_results.filter(({ status }) => status === 'unscored');
    const message = trial.error_message ?? unscored[0]?.details ?? 'the trial could not be scored';
    return { message, text: [message, ...unscored.map(detail)].join('\n') };
  }
  const failed = tellingFailures(trial.eval_results, trial.status);
  const [worst] = failed;
  const score = trial.score === null ? '' : `score ${formatScore(trial.score)}`;
  const message = worst ? namedFailure({ ...worst, details: shortDetails(worst) }) : (trial.error_message ?? score);
  return {
    message,
    text: [score, trial.error_message ?? '', ...failed.map(detail)].filter((line) => line !== '').join('\n'),
  };
}

function detail(result: EvalResult): string {
  const scores = scoresOfJudge(result);
  const whole = scores ? judgePlainLines(scores).join('\n') : result.details;
  const over = whole.length - LONGEST_DETAIL;
  const details = over > 0 ? `${whole.slice(0, LONGEST_DETAIL)}… (${over} more characters)` : whole;
  const required = result.required ? ', required' : '';
  return `${result.assertion_id} (${result.assertion_type}, weight ${result.weight}${required}): ${details}`;
}

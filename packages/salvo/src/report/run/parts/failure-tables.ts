import type { AssertionFailure, ErrorGroup } from '../../../run/record/run-document.ts';
import { formatPlural, oneDigit } from '../../../stats/format.ts';
import { firstFrame } from '../../../text/errors/own-stack.ts';
import {
  type Block,
  column,
  commandWords,
  figure,
  type Line,
  type Tone,
  table,
  toned,
} from '../../document/document.ts';
import { judgeLines } from '../../judge/judge-lines.ts';
import { bar } from '../../terminal/bar.ts';
import type { DetailOptions, ReportedScenario } from '../run-report.ts';
import { CRASH_ADVICE, errorAdvice } from '../words/advice.ts';
import { replayCommand } from '../words/replay-command.ts';
import { type ListedTrials, whichTrials } from '../words/which-trials.ts';
import { isToldByCases } from './case-table.ts';

/** Of assertions, messages and criteria of a judge. */
const MOST = { failures: 6, errors: 4, criteria: 5, printed: 20 };
/** Of a message. The conversation has all of it. */
const LONGEST_MESSAGE = { short: 400, full: 3000 };

/** The assertions that failed, by lost weight. With data, the short report leaves the reasons to the table of cases. */
export function failureTable(scenario: ReportedScenario, options: DetailOptions): Block {
  const { full, width } = options;
  const failures = scenario.assertion_failures;
  const most = failures.reduce((max, { lost_weight }) => Math.max(max, lost_weight), 0);
  const isTold = (failure: AssertionFailure) => !full && isToldByCases(failure, scenario);
  const share = ({ lost_weight }: AssertionFailure) => (most > 0 ? lost_weight / most : 0);
  return table(
    failures,
    [
      full && figure('lost', 3, ({ lost_weight }) => oneDigit(lost_weight)),
      full &&
        column('', { priority: 1, only: 'terminal' }, (failure) => ({
          text: bar(share(failure), width >= 70 ? 12 : 6),
          tone: 'red',
          own: true,
        })),
      figure('fails', 4, ({ fail_count }) => `${fail_count}/${scenario.trials_scored}`),
      column('assertion', { priority: 5, min: 8 }, (each) => ({ text: failureName(each), tone: 'bold', most: 1000 })),
      column('', { priority: 2 }, ({ required }) => ({ text: required ? 'required' : '', tone: 'red' })),
      column('example', { place: 'below' }, (failure) => {
        if (isTold(failure)) return '';
        const { judge, example } = failure;
        if (judge) return judgeLines(judge, { most: MOST.criteria });
        return message(example, options, failure.assertion_type === 'command_succeeds');
      }),
      column('trials', { place: 'below' }, (failure) =>
        isTold(failure) ? '' : whereLine(failure, failure.fail_count, options),
      ),
    ],
    { most: MOST.failures, printed: MOST.printed },
  );
}

/** `lines`: it has what a program printed, and not what an agent said. */
function message(text: string, { full }: DetailOptions, lines: boolean): Line {
  return { text, most: full ? LONGEST_MESSAGE.full : LONGEST_MESSAGE.short, lines };
}

function failureName({ assertion_id, assertion_type }: AssertionFailure): string {
  return assertion_id.includes(assertion_type) ? assertion_id : `${assertion_id} (${assertion_type})`;
}

export function crashTable(scenario: ReportedScenario, options: DetailOptions): Block {
  const { crashes, trials_crashed } = scenario;
  if (crashes.length === 0) return { lines: [] };
  const title = `The agent crashed in ${formatPlural(trials_crashed, 'trial')} (counted as failed)`;
  return {
    lines: [
      { text: title, tone: 'red' },
      messageTable(crashes, 'red', options),
      ...toned('dim', [options.full ? CRASH_ADVICE : null]),
    ],
  };
}

export function errorTable(scenario: ReportedScenario, options: DetailOptions): Block {
  const { errors, trials_unscored, file } = scenario;
  if (trials_unscored === 0) return { lines: [] };
  const title = `${formatPlural(trials_unscored, 'trial')} not scored (not counted as failed)`;
  const advice = new Set(errors.map((group) => errorAdvice(group, { runId: options.runId, file })));
  return {
    lines: [{ text: title, tone: 'magenta' }, messageTable(errors, 'magenta', options), ...toned('dim', [...advice])],
  };
}

/** Messages with how often each occurred, where in the code, and in which trials. */
function messageTable(groups: readonly ErrorGroup[], tone: Tone, options: DetailOptions): Block {
  return table(
    groups,
    [
      figure('times', 3, ({ count }) => ({ text: `${count}×`, tone })),
      column('message', { priority: 4, min: 20 }, (group) => message(group.message || 'no message', options, true)),
      column('place', { place: 'below' }, ({ stack = '' }) => firstFrame(stack) ?? ''),
      column('trials', { place: 'below' }, (group) => whereLine(group, group.count, options)),
    ],
    { bare: true, most: MOST.errors, printed: MOST.printed },
  );
}

/** In which trials it happened, and how to look at the first of them, unless the end of the report says it. */
function whereLine(trials: ListedTrials, count: number, { handle, isLatest, runId, told }: DetailOptions): Line {
  const [trialNumber] = trials.trial_numbers;
  if (trialNumber === undefined) return '';
  const place = { scenario: handle, caseName: trials.trial_cases?.[0], trialNumber };
  const command = replayCommand({ ...place, runId: isLatest ? null : runId });
  const where = whichTrials(trials, count);
  const isTold = command === told;
  return {
    parts: [
      { text: isTold ? where : `${where}:`, print: `${where}:`, tone: 'dim' },
      commandWords(isTold ? '' : command, replayCommand({ ...place, runId })),
    ],
    separator: ' ',
  };
}

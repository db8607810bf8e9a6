import type { AssertionFailure, ErrorGroup } from '../../../run/record/run-document.ts';
import { formatPlural, oneDigit } from '../../../stats/format.ts';
import { firstFrame } from '../../../text/errors/own-stack.ts';
import { displayWidth, safeLine } from '../../../text/output/safe-text.ts';
import { judgeLines } from '../../judge/judge-lines.ts';
import { bar } from '../../terminal/bar.ts';
import { type Column, renderTable } from '../../terminal/table.ts';
import { fewLines, wrap } from '../../terminal/wrap.ts';
import type { ReportedScenario } from '../run-report.ts';
import { CRASH_ADVICE, errorAdvice } from '../words/advice.ts';
import { replayCommand } from '../words/replay-command.ts';
import { type ListedTrials, whichTrials } from '../words/which-trials.ts';
import { isToldByCases } from './case-lines.ts';
import type { DetailOptions } from './detail-options.ts';

const WIDEST_INDENT = 9;
const MOST_FAILURES = 6;
const MOST_ERRORS = 4;
const MOST_CRITERIA = 5;
/** Of a message. The conversation has all of it. */
const LONGEST_MESSAGE = { short: 400, full: 3000 };

const FAILURE_COLUMNS: readonly Column<'lost' | 'bar' | 'fails' | 'assertion' | 'required'>[] = [
  { key: 'lost', header: 'lost', align: 'right', priority: 3 },
  { key: 'bar', header: '', priority: 1 },
  { key: 'fails', header: 'fails', align: 'right', priority: 4 },
  { key: 'assertion', header: 'assertion', priority: 5, min: 8 },
  { key: 'required', header: '', priority: 2 },
];

/** The assertions that failed, by lost weight. With data, the short report leaves the reasons to the table of cases. */
export function failureLines(scenario: ReportedScenario, options: DetailOptions): string[] {
  const { width, style, full } = options;
  const failures = scenario.assertion_failures;
  if (failures.length === 0) return [];
  const shown = failures.slice(0, MOST_FAILURES);
  const most = shown.reduce((max, { lost_weight }) => Math.max(max, lost_weight), 0);
  const table = renderTable({
    columns: full ? FAILURE_COLUMNS : FAILURE_COLUMNS.filter(({ key }) => key !== 'lost' && key !== 'bar'),
    rows: shown.map((failure) => ({
      lost: { text: lost(failure) },
      bar: { text: bar(most > 0 ? failure.lost_weight / most : 0, width >= 70 ? 12 : 6), paint: style.red },
      fails: { text: `${failure.fail_count}/${scenario.trials_scored}` },
      assertion: { text: safeLine(failureName(failure)), paint: style.bold },
      required: { text: failure.required ? 'required' : '', paint: style.red },
    })),
    width,
    style,
  });
  const before = full
    ? ['lost', ...shown.map(lost)]
    : ['fails', ...shown.map(({ fail_count }) => `${fail_count}/${scenario.trials_scored}`)];
  const indent = ' '.repeat(Math.min(WIDEST_INDENT, Math.max(...before.map(({ length }) => length)) + 2));
  const lines = shown.flatMap((failure, index) => {
    const below =
      !full && isToldByCases(failure, scenario)
        ? []
        : exampleLines(failure, { ...options, width: width - indent.length });
    return [...(table.rows[index] ?? []), ...below.map((line) => indent + line)];
  });
  const rest = failures.length - shown.length;
  const more = rest > 0 ? wrap(`and ${formatPlural(rest, 'more failing assertion')}`, width - indent.length) : [];
  return ['', ...table.header, ...lines, ...more.map((line) => indent + style.dim(line))];
}

function exampleLines(failure: AssertionFailure, options: DetailOptions): string[] {
  const { example, judge, fail_count } = failure;
  const { width, style } = options;
  const why = judge
    ? judgeLines(judge, { width, style, most: MOST_CRITERIA })
    : fewLines(example, width, longestMessage(options));
  return [...why, ...whereLines(failure, fail_count, options)];
}

function longestMessage({ full }: DetailOptions): number {
  return full ? LONGEST_MESSAGE.full : LONGEST_MESSAGE.short;
}

function lost({ lost_weight }: AssertionFailure): string {
  return oneDigit(lost_weight);
}

function failureName({ assertion_id, assertion_type }: AssertionFailure): string {
  return assertion_id.includes(assertion_type) ? assertion_id : `${assertion_id} (${assertion_type})`;
}

export function crashLines(scenario: ReportedScenario, options: DetailOptions): string[] {
  const { width, style, full } = options;
  if (scenario.crashes.length === 0) return [];
  const title = `The agent crashed in ${formatPlural(scenario.trials_crashed, 'trial')} (counted as failed)`;
  return [
    '',
    ...wrap(title, width).map(style.red),
    ...groupLines(scenario.crashes, style.red, options, (group, room) => [
      ...wrap(safeLine(firstFrame(group.stack ?? '') ?? ''), room).filter((line) => line !== ''),
      ...whereLines(group, group.count, { ...options, width: room }),
    ]),
    ...(full ? wrap(CRASH_ADVICE, width).map(style.dim) : []),
  ];
}

export function errorLines(scenario: ReportedScenario, options: DetailOptions): string[] {
  const { width, style, runId } = options;
  if (scenario.trials_unscored === 0) return [];
  const title = `${formatPlural(scenario.trials_unscored, 'trial')} not scored (not counted as failed)`;
  const file = safeLine(scenario.file);
  const advice = new Set(scenario.errors.flatMap((group) => errorAdvice(group, { runId, file }) ?? []));
  return [
    '',
    ...wrap(title, width).map(style.magenta),
    ...groupLines(scenario.errors, style.magenta, options, (group, room) =>
      whereLines(group, group.count, { ...options, width: room }),
    ),
    ...[...advice].flatMap((each) => wrap(each, width)).map(style.dim),
  ];
}

/** Messages with how often each occurred, and what else there is to say about each. */
function groupLines(
  groups: readonly ErrorGroup[],
  paint: (text: string) => string,
  options: DetailOptions,
  below: (group: ErrorGroup, room: number) => string[],
): string[] {
  const { width, style } = options;
  const shown = groups.slice(0, MOST_ERRORS);
  const countWidth = shown.reduce((max, { count }) => Math.max(max, `${count}×`.length), 0);
  const indent = ' '.repeat(countWidth + 2);
  const room = width - indent.length;
  const lines = shown.flatMap((group) => {
    const [first = 'no message', ...others] = fewLines(group.message, room, longestMessage(options));
    const count = paint(`${group.count}×`.padStart(countWidth));
    return [`${count}  ${first}`, ...[...others, ...below(group, room)].map((line) => indent + line)];
  });
  const rest = groups.length - shown.length;
  return rest > 0 ? [...lines, indent + style.dim(`and ${formatPlural(rest, 'other message')}`)] : lines;
}

/** In which trials it happened, and how to look at the first of them. */
function whereLines(trials: ListedTrials, count: number, options: DetailOptions): string[] {
  const { width, style } = options;
  const [first] = trials.trial_numbers;
  if (first === undefined) return [];
  const { handle, isLatest, runId } = options;
  const caseName = trials.trial_cases?.[0];
  const command = replayCommand({ runId: isLatest ? null : runId, scenario: handle, caseName, trialNumber: first });
  if (command === options.told) return wrap(whichTrials(trials, count), width).map(style.dim);
  const where = `${whichTrials(trials, count)}:`;
  if (displayWidth(where) + displayWidth(command) + 1 <= width) return [`${style.dim(where)} ${style.cyan(command)}`];
  return [...wrap(where, width).map(style.dim), ...wrap(command, width).map(style.cyan)];
}

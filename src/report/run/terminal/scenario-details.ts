import type { AssertionFailure, ErrorGroup } from '../../../run/record/run-document.ts';
import { firstFrame } from '../../../text/errors/first-frame.ts';
import { displayWidth, safeLine, shorten } from '../../../text/output/safe-text.ts';
import { judgeLines } from '../../judge/judge-lines.ts';
import { judgeSummaries } from '../../judge/judge-summaries.ts';
import { bar } from '../../terminal/bar.ts';
import { formatPlural } from '../../terminal/format.ts';
import type { Style } from '../../terminal/style.ts';
import { type Column, renderTable } from '../../terminal/table.ts';
import { fewLines, joinParts, wrap } from '../../terminal/wrap.ts';
import { neverPassedLine } from '../never-passed.ts';
import type { ReportedScenario } from '../run-report.ts';
import { isGreen, verdictPaint, verdictReason, verdictSymbol } from '../verdict.ts';
import { CRASH_ADVICE, errorAdvice, stoppedAdvice } from '../words/advice.ts';
import { gateLines } from '../words/gate-words.ts';
import { quarantineLines } from '../words/quarantine-lines.ts';
import { reliabilityLines } from '../words/reliability.ts';
import { replayCommand } from '../words/replay-command.ts';
import { type ListedTrials, whichTrials } from '../words/which-trials.ts';
import { caseLines } from './case-lines.ts';
import { trialStrip } from './trial-strip.ts';

const MOST_FAILURES = 6;
const MOST_ERRORS = 4;
const MOST_CRITERIA = 5;
const LONGEST_MESSAGE = 3000;

export interface DetailOptions {
  width: number;
  style: Style;
  runId: string;
  /** Commands about the run need not name it. */
  isLatest: boolean;
  /** What to call the scenario in a command. */
  handle: string;
  /** What to call it in the heading; its name if not given. */
  title?: string | undefined;
  /** False if the table above already shows each trial. */
  strip: boolean;
}

/** Whether there is more to report on a scenario than its row in the table. */
export function hasDetails(scenario: ReportedScenario): boolean {
  return (
    !isGreen(scenario) ||
    scenario.assertion_failures.length > 0 ||
    scenario.crashes.length > 0 ||
    scenario.errors.length > 0 ||
    scenario.judges.length > 0 ||
    scenario.cases.length > 0 ||
    gateLines(scenario).length > 0 ||
    scenario.quarantine !== null ||
    scenario.stopped !== null
  );
}

/** What went wrong in a scenario: failures by lost weight, and separately what could not be scored. */
export function renderScenarioDetails(scenario: ReportedScenario, options: DetailOptions): string[] {
  const { width, style } = options;
  const paint = verdictPaint(scenario.verdict, style);
  const inner = { ...options, width: width - 2 };
  const body = [
    ...wrap(verdictReason(scenario), inner.width),
    ...wrap(neverPassedLine(scenario) ?? '', inner.width)
      .filter((line) => line !== '')
      .map(style.yellow),
    ...wrap(source(scenario), inner.width).map(style.dim),
    ...gateBlock(scenario, inner),
    ...stripLines(scenario, inner),
    ...reliabilityLines(scenario)
      .flatMap((line) => wrap(line, inner.width))
      .map(style.dim),
    ...judgeSummaries(scenario).flatMap((parts) => joinParts(parts, inner.width)),
    ...stoppedLines(scenario, inner),
    ...quarantineLines(scenario)
      .flatMap((line) => wrap(line, inner.width))
      .map(style.yellow),
    ...caseLines(scenario, inner),
    ...failureLines(scenario, inner),
    ...crashLines(scenario, inner),
    ...errorLines(scenario, inner),
  ];
  const word = scenario.verdict.replace('_', ' ');
  const [first = '', ...more] = wrap(safeLine(options.title ?? scenario.name), Math.max(8, width - word.length - 4));
  const gap = ' '.repeat(Math.max(2, width - displayWidth(first) - word.length - 2));
  return [
    `${paint(verdictSymbol(scenario.verdict))} ${style.bold(first)}${gap}${paint(word)}`,
    ...more.map((line) => `  ${style.bold(line)}`),
    ...body.map((line) => (line === '' ? '' : `  ${line}`)),
  ];
}

/** The gates with their intervals; the one that decided is named above, too. */
function gateBlock(scenario: ReportedScenario, { width, style }: DetailOptions): string[] {
  return gateLines(scenario).flatMap(({ met, text }) => {
    const [symbol, paint] = met === null ? ['?', style.magenta] : met ? ['✔', style.green] : ['✖', style.red];
    const [first = '', ...more] = wrap(text, width - 2);
    return [`${paint(symbol)} ${first}`, ...more.map((line) => `  ${line}`)];
  });
}

function source({ file, model, adapter }: ReportedScenario): string {
  return safeLine([...new Set([file, model, adapter])].filter((part) => part !== '').join(' · '));
}

function stripLines(scenario: ReportedScenario, { width, style, strip }: DetailOptions): string[] {
  const { statuses = [], trials_planned: planned } = scenario;
  if (!strip || statuses.length === 0) return [];
  const { text, paint } = trialStrip({ statuses, planned, width, style });
  return [paint(shorten(text, width))];
}

function stoppedLines(scenario: ReportedScenario, { width, style, runId }: DetailOptions): string[] {
  if (scenario.stopped === null) return [];
  const ran = scenario.trials_total + scenario.trials_not_judged;
  const why = stoppedAdvice(scenario.stopped, runId);
  const line = `${ran} of ${formatPlural(scenario.trials_planned, 'planned trial')} ran: ${why}`;
  return [...wrap(line, width).map(style.yellow), ...stopErrorLines(scenario, { width, runId })];
}

/** What the provider said, unless the errors of the trials say it already. */
function stopErrorLines(scenario: ReportedScenario, { width, runId }: { width: number; runId: string }): string[] {
  const { stop_error: error, errors, file } = scenario;
  if (error === null || errors.some(({ message }) => message.includes(error.message))) return [];
  const advice = errorAdvice(error, { runId, file: safeLine(file) });
  return [...fewLines(error.message, width, LONGEST_MESSAGE), ...(advice === null ? [] : wrap(advice, width))];
}

const FAILURE_COLUMNS: readonly Column<'lost' | 'bar' | 'fails' | 'assertion' | 'required'>[] = [
  { key: 'lost', header: 'lost', align: 'right', priority: 3 },
  { key: 'bar', header: '', priority: 1 },
  { key: 'fails', header: 'fails', align: 'right', priority: 4 },
  { key: 'assertion', header: 'assertion', priority: 5, min: 8 },
  { key: 'required', header: '', priority: 2 },
];

function failureLines(scenario: ReportedScenario, options: DetailOptions): string[] {
  const { width, style } = options;
  const failures = scenario.assertion_failures;
  if (failures.length === 0) return [];
  const shown = failures.slice(0, MOST_FAILURES);
  const most = shown.reduce((max, { lost_weight }) => Math.max(max, lost_weight), 0);
  const table = renderTable({
    columns: FAILURE_COLUMNS,
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
  const indent = ' '.repeat(Math.max('lost'.length, ...shown.map((failure) => lost(failure).length)) + 2);
  const room = width - indent.length;
  const lines = shown.flatMap((failure, index) => {
    const { example, judge } = failure;
    const why = judge
      ? judgeLines(judge, { width: room, style, most: MOST_CRITERIA })
      : fewLines(example, room, LONGEST_MESSAGE);
    const below = [...why, ...whereLines(failure, failure.fail_count, { ...options, width: room })];
    return [...(table.rows[index] ?? []), ...below.map((line) => indent + line)];
  });
  const rest = failures.length - shown.length;
  const more = rest > 0 ? [indent + style.dim(`and ${formatPlural(rest, 'more failing assertion')}`)] : [];
  return ['', ...table.header, ...lines, ...more];
}

function lost({ lost_weight }: AssertionFailure): string {
  return lost_weight.toFixed(lost_weight >= 1000 ? 0 : 1);
}

function failureName({ assertion_id, assertion_type }: AssertionFailure): string {
  return assertion_id.includes(assertion_type) ? assertion_id : `${assertion_id} (${assertion_type})`;
}

function crashLines(scenario: ReportedScenario, options: DetailOptions): string[] {
  const { width, style } = options;
  if (scenario.crashes.length === 0) return [];
  const title = `The agent crashed in ${formatPlural(scenario.trials_crashed, 'trial')} (counted as failed)`;
  return [
    '',
    ...wrap(title, width).map(style.red),
    ...groupLines(scenario.crashes, style.red, options, (group, room) => [
      ...wrap(safeLine(firstFrame(group.stack ?? '') ?? ''), room).filter((line) => line !== ''),
      ...whereLines(group, group.count, { ...options, width: room }),
    ]),
    ...wrap(CRASH_ADVICE, width).map(style.dim),
  ];
}

function errorLines(scenario: ReportedScenario, options: DetailOptions): string[] {
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
  { width, style }: DetailOptions,
  below: (group: ErrorGroup, room: number) => string[],
): string[] {
  const shown = groups.slice(0, MOST_ERRORS);
  const countWidth = shown.reduce((max, { count }) => Math.max(max, `${count}×`.length), 0);
  const indent = ' '.repeat(countWidth + 2);
  const room = width - indent.length;
  const lines = shown.flatMap((group) => {
    const [first = 'no message', ...others] = fewLines(group.message, room, LONGEST_MESSAGE);
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
  const where = `${whichTrials(trials, count)}:`;
  const { handle, isLatest, runId } = options;
  const caseName = trials.trial_cases?.[0];
  const command = replayCommand({ runId: isLatest ? null : runId, scenario: handle, caseName, trialNumber: first });
  if (displayWidth(where) + displayWidth(command) + 1 <= width) return [`${style.dim(where)} ${style.cyan(command)}`];
  return [...wrap(where, width).map(style.dim), ...wrap(command, width).map(style.cyan)];
}

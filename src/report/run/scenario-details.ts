import type { AssertionFailure } from '../../run/run-document.ts';
import { displayWidth, safeLine, shorten } from '../../text/safe-text.ts';
import { judgeLines } from '../judge/judge-lines.ts';
import { judgeSummaries } from '../judge/judge-summaries.ts';
import { bar } from '../terminal/bar.ts';
import { formatNumbers, formatPercent, formatPlural } from '../terminal/format.ts';
import type { Style } from '../terminal/style.ts';
import { type Column, renderTable } from '../terminal/table.ts';
import { fewLines, joinParts, wrap } from '../terminal/wrap.ts';
import type { ReportedScenario } from './run-report.ts';
import { trialStrip } from './trial-strip.ts';
import { verdictPaint, verdictReason, verdictSymbol } from './verdict.ts';

const MOST_FAILURES = 6;
const MOST_ERRORS = 4;
const MOST_CRITERIA = 5;

export interface DetailOptions {
  width: number;
  style: Style;
  runId: string;
  /** False if the table above already shows each trial. */
  strip: boolean;
}

/** Whether there is more to report on a scenario than its row in the table. */
export function hasDetails(scenario: ReportedScenario): boolean {
  return (
    !['PASS', 'RECORDED'].includes(scenario.verdict) ||
    scenario.assertion_failures.length > 0 ||
    scenario.errors.length > 0 ||
    scenario.judges.length > 0 ||
    scenario.stopped !== null
  );
}

/** What went wrong in a scenario: failures by lost weight, and separately what could not be scored. */
export function renderScenarioDetails(scenario: ReportedScenario, options: DetailOptions): string[] {
  const { width, style } = options;
  const paint = verdictPaint(scenario.verdict, style);
  const inner = { ...options, width: width - 2 };
  const word = scenario.verdict.replace('_', ' ');
  const name = safeLine(scenario.name, Math.max(8, width - word.length - 4));
  const gap = ' '.repeat(Math.max(2, width - displayWidth(name) - word.length - 2));
  const body = [
    ...wrap(verdictReason(scenario), inner.width),
    style.dim(source(scenario, inner.width)),
    ...stripLines(scenario, inner),
    ...reliability(scenario, inner),
    ...judgeSummaries(scenario).flatMap((parts) => joinParts(parts, inner.width)),
    ...stoppedLines(scenario, inner),
    ...failureLines(scenario, inner),
    ...errorLines(scenario, inner),
  ];
  return [
    `${paint(verdictSymbol(scenario.verdict))} ${style.bold(name)}${gap}${paint(word)}`,
    ...body.map((line) => (line === '' ? '' : `  ${line}`)),
  ];
}

function source({ file, model, adapter }: ReportedScenario, width: number): string {
  return safeLine([file, model, adapter].filter((part) => part !== '').join(' · '), width);
}

function stripLines(scenario: ReportedScenario, { width, style, strip }: DetailOptions): string[] {
  const { statuses = [], trials_planned: planned } = scenario;
  if (!strip || statuses.length === 0) return [];
  const { text, paint } = trialStrip({ statuses, planned, width, style });
  return [paint(shorten(text, width))];
}

/** pass^k and pass@k are only informative with enough trials that do not all have the same result. */
function reliability(scenario: ReportedScenario, { width, style }: DetailOptions): string[] {
  if (scenario.trials_scored < 5 || scenario.pass_rate === 0 || scenario.pass_rate === 1) return [];
  const rates = (name: string, byK: Record<string, number>) =>
    ['3', '5', '10'].flatMap((k) => {
      const rate = byK[k];
      return rate === undefined ? [] : [`${name}${k} ${formatPercent(rate)}`];
    });
  const parts = [...rates('pass^', scenario.pass_hat_k).slice(0, 2), ...rates('pass@', scenario.pass_at_k).slice(0, 1)];
  if (parts.length === 0) return [];
  const line = parts.join('   ');
  const legend = '   (^ all k pass, @ at least one)';
  return [line.length + legend.length <= width ? line + style.dim(legend) : shorten(line, width)];
}

function stoppedLines(scenario: ReportedScenario, { width, style, runId }: DetailOptions): string[] {
  if (scenario.stopped === null) return [];
  const ran = `${scenario.trials_total} of ${formatPlural(scenario.trials_planned, 'planned trial')} ran: `;
  const why = {
    early_stop: 'stopped early, as the verdict could no longer change',
    budget: 'the others were not started, because of the budget',
    interrupted: `interrupted; salvo run ${safeLine(scenario.file, 80)} --resume ${runId} runs the rest`,
  }[scenario.stopped];
  return wrap(ran + why, width).map(style.yellow);
}

const FAILURE_COLUMNS: readonly Column<'lost' | 'bar' | 'fails' | 'assertion' | 'required'>[] = [
  { key: 'lost', header: 'lost', align: 'right', priority: 3 },
  { key: 'bar', header: '', priority: 1 },
  { key: 'fails', header: 'fails', align: 'right', priority: 4 },
  { key: 'assertion', header: 'assertion', priority: 5, min: 8 },
  { key: 'required', header: '', priority: 2 },
];

function failureLines(scenario: ReportedScenario, { width, style }: DetailOptions): string[] {
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
      assertion: { text: safeLine(failureName(failure), 300), paint: style.bold },
      required: { text: failure.required ? 'required' : '', paint: style.red },
    })),
    width,
    style,
  });
  const indent = ' '.repeat(Math.max(4, ...shown.map((failure) => lost(failure).length)) + 2);
  const room = width - indent.length;
  const lines = shown.flatMap(({ example, judge, trial_numbers }, index) => {
    const why = judge ? judgeLines(judge, { width: room, style, most: MOST_CRITERIA }) : fewLines(example, room);
    const below = [...why, style.dim(trialNumbers(trial_numbers, room))];
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

function errorLines(scenario: ReportedScenario, { width, style, runId }: DetailOptions): string[] {
  if (scenario.trials_unscored === 0) return [];
  const shown = scenario.errors.slice(0, MOST_ERRORS);
  const countWidth = shown.reduce((max, { count }) => Math.max(max, `${count}×`.length), 0);
  const indent = ' '.repeat(countWidth + 2);
  const room = width - indent.length;
  const lines = shown.flatMap(({ message, count, trial_numbers }) => {
    const [first = 'no message', ...others] = fewLines(message, room);
    const below = [...others, style.dim(trialNumbers(trial_numbers, room))];
    return [`${style.magenta(`${count}×`.padStart(countWidth))}  ${first}`, ...below.map((line) => indent + line)];
  });
  const rest = scenario.errors.length - shown.length;
  const more = rest > 0 ? [indent + style.dim(`and ${formatPlural(rest, 'other message')}`)] : [];
  const title = `${formatPlural(scenario.trials_unscored, 'trial')} not scored (not counted as failed)`;
  const advice =
    `Provider trouble: run again. A broken assertion: fix it, then salvo reeval ${runId} judges the stored traces ` +
    'without calling the agent.';
  return ['', ...wrap(title, width).map(style.magenta), ...lines, ...more, ...wrap(advice, width).map(style.dim)];
}

function trialNumbers(numbers: readonly number[], width: number): string {
  return shorten(`${numbers.length === 1 ? 'trial' : 'trials'} ${formatNumbers(numbers, width >= 60 ? 8 : 3)}`, width);
}

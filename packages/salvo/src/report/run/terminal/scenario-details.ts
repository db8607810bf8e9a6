import { formatPlural } from '../../../stats/format.ts';
import { displayWidth, safeLine, shorten } from '../../../text/output/safe-text.ts';
import { judgeRemarks, judgeSummaries } from '../../judge/judge-summaries.ts';
import { fewLines, joinParts, wrap } from '../../terminal/wrap.ts';
import { neverPassedLine } from '../never-passed.ts';
import type { ReportedScenario } from '../run-report.ts';
import { isGreen, verdictReason, verdictSymbol, verdictTone } from '../verdict.ts';
import { errorAdvice, stoppedAdvice } from '../words/advice.ts';
import { gateLines, missedGates } from '../words/gate-words.ts';
import { quarantineLines } from '../words/quarantine-lines.ts';
import { reliabilityLines } from '../words/reliability.ts';
import { caseLines } from './case-lines.ts';
import type { DetailOptions } from './detail-options.ts';
import { crashLines, errorLines, failureLines } from './failure-lines.ts';
import { trialStrip } from './trial-strip.ts';

const LONGEST_MESSAGE = 3000;

/** Whether there is more to report on a scenario than its row in the table. */
export function hasDetails(scenario: ReportedScenario, { full }: { full: boolean }): boolean {
  const { cases, judges } = scenario;
  return (
    !isGreen(scenario) ||
    scenario.assertion_failures.length > 0 ||
    scenario.crashes.length > 0 ||
    scenario.errors.length > 0 ||
    cases.some((each) => full || each.skipped !== null || each.quarantine !== null) ||
    judgeRemarks(scenario).length > 0 ||
    (full && (judges.length > 0 || gateLines(scenario).length > 0)) ||
    scenario.quarantine !== null ||
    scenario.stopped !== null
  );
}

/** What went wrong in a scenario: failures by lost weight, and separately what could not be scored. */
export function renderScenarioDetails(scenario: ReportedScenario, options: DetailOptions): string[] {
  const { width, style, full, isAlone } = options;
  const paint = style[verdictTone(scenario.verdict)];
  const inner = { ...options, width: width - 2 };
  const body = [
    ...(isAlone ? [] : wrap(verdictReason(scenario), inner.width)),
    ...wrap(neverPassedLine(scenario) ?? '', inner.width)
      .filter((line) => line !== '')
      .map(style.yellow),
    ...wrap(source(scenario), inner.width).map(style.dim),
    ...gateBlock(scenario, inner),
    ...stripLines(scenario, inner),
    ...(full ? statistics(scenario, inner) : joined(judgeRemarks(scenario), inner)),
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

function joined(lines: readonly string[][], { width }: Pick<DetailOptions, 'width'>): string[] {
  return lines.flatMap((parts) => joinParts(parts, width));
}

function statistics(scenario: ReportedScenario, { width, style }: DetailOptions): string[] {
  return [
    ...reliabilityLines(scenario)
      .flatMap((line) => wrap(line, width))
      .map(style.dim),
    ...joined(judgeSummaries(scenario), { width }),
  ];
}

/** The gates with their intervals; the one that decided is named above, too. The short report has the others that were missed. */
function gateBlock(scenario: ReportedScenario, { width, style, full }: DetailOptions): string[] {
  return (full ? gateLines(scenario) : missedGates(scenario)).flatMap(({ met, text }) => {
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

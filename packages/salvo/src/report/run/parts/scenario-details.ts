import { formatPlural } from '../../../stats/format.ts';
import { type Block, type Content, type Line, type Parts, type ReportItem, toned } from '../../document/document.ts';
import { judgeRemarks, judgeSummaries } from '../../judge/judge-summaries.ts';
import { neverPassedLine } from '../never-passed.ts';
import type { DetailOptions, ReportedScenario, RunReport } from '../run-report.ts';
import { trialStrip } from '../terminal/trial-strip.ts';
import { isGreen, verdictReason, verdictSign } from '../verdict.ts';
import { errorAdvice, stoppedAdvice } from '../words/advice.ts';
import { flakyList } from '../words/flaky-lines.ts';
import { gateLines, missedGates } from '../words/gate-words.ts';
import { quarantineLines } from '../words/quarantine-lines.ts';
import { overallParts, reliabilityLines } from '../words/reliability.ts';
import { givenNote, oneDrawNote } from '../words/run-notes.ts';
import { caseTable } from './case-table.ts';
import { crashTable, errorTable, failureTable } from './failure-tables.ts';

const LONGEST_MESSAGE = 3000;

/** Whether there is more to report on a scenario than its row in the table. */
export function hasDetails(scenario: ReportedScenario, { full }: { full: boolean }): boolean {
  const { cases, judges } = scenario;
  return (
    !isGreen(scenario) ||
    scenario.assertion_failures.length > 0 ||
    scenario.crashes.length > 0 ||
    scenario.given !== undefined ||
    scenario.errors.length > 0 ||
    cases.some((each) => full || each.skipped !== null || each.quarantine !== null) ||
    judgeRemarks(scenario).length > 0 ||
    (full && (judges.length > 0 || gateLines(scenario).length > 0)) ||
    scenario.quarantine !== null ||
    scenario.stopped !== null
  );
}

/** What went wrong in a scenario: failures by lost weight, and separately what could not be scored. */
export function scenarioDetails(scenario: ReportedScenario, options: DetailOptions): Block {
  const { verdict } = scenario;
  const sign = verdictSign(verdict);
  const inner = { ...options, width: options.width - 2 };
  return {
    symbol: sign,
    title: options.title,
    mark: { text: verdict.replace('_', ' '), tone: sign.tone, print: verdictReason(scenario) },
    blocks: () => [
      { lines: about(scenario, inner) },
      caseTable(scenario, inner),
      failureTable(scenario, inner),
      crashTable(scenario, inner),
      errorTable(scenario, inner),
    ],
  };
}

function about(scenario: ReportedScenario, options: DetailOptions): Content[] {
  const { file, model, adapter, statuses = [], trials_planned: planned } = scenario;
  const { full, isAlone, strip, width } = options;
  return [
    // Markdown has it in the line that unfolds the section.
    { text: isAlone ? '' : verdictReason(scenario), print: '' },
    { text: neverPassedLine(scenario) ?? '', tone: 'yellow', bold: true },
    { parts: toned('dim', [...new Set([file, model, adapter])]) },
    { items: gateItems(scenario, options) },
    strip ? trialStrip({ statuses, planned, width }) : '',
    givenNote(scenario) ?? '',
    ...(full ? statistics(scenario) : [...givenReliability(scenario), ...parts(judgeRemarks(scenario))]),
    ...stoppedLines(scenario, options),
    ...toned('yellow', quarantineLines(scenario)),
  ];
}

function parts(lines: readonly string[][]): Parts[] {
  return lines.map((each) => ({ parts: each }));
}

/** Results of benchmarks are known by their pass^k. */
function givenReliability(scenario: ReportedScenario): Line[] {
  return scenario.given?.compared === null ? reliability(scenario) : [];
}

function reliability(scenario: ReportedScenario): Line[] {
  return reliabilityLines(scenario).map((text): Line => ({ text, own: true, tone: 'dim' }));
}

function statistics(scenario: ReportedScenario): Line[] {
  return [...reliability(scenario), ...parts(judgeSummaries(scenario))];
}

/** The gates with their intervals; the one that decided is named above, too. The short report has the others that were missed. */
function gateItems(scenario: ReportedScenario, { full }: DetailOptions): ReportItem[] {
  return (full ? gateLines(scenario) : missedGates(scenario)).map(({ met, text }) => ({
    symbol: verdictSign(met === null ? 'UNSCORED' : met ? 'PASS' : 'FAIL'),
    text,
  }));
}

function stoppedLines(scenario: ReportedScenario, { runId }: DetailOptions): Line[] {
  const { stopped, stop_error: error, errors, file } = scenario;
  if (stopped === null) return [];
  const ran = scenario.trials_total + scenario.trials_not_judged;
  const planned = formatPlural(scenario.trials_planned, 'planned trial');
  const line = toned('yellow', [`${ran} of ${planned} ran: ${stoppedAdvice(stopped, runId)}`]);
  // What the provider said, unless the errors of the trials say it already.
  if (error === null || errors.some(({ message }) => message.includes(error.message))) return line;
  return [...line, { text: error.message, most: LONGEST_MESSAGE }, errorAdvice(error, { runId, file }) ?? ''];
}

/** Figures over all scenarios, which of them are of a single draw, and what is flaky, for the full report. */
export function runStatistics({ overall, scenarios, flaky = [] }: RunReport): Block[] {
  const oneDraw = toned('yellow', [oneDrawNote(scenarios)]);
  return [{ lines: [{ parts: overallParts(overall) }] }, { lines: oneDraw }, flakyList(flaky)];
}

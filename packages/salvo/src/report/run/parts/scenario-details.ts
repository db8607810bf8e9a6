import { formatPlural } from '../../../stats/format.ts';
import type { Block, Content, Line, Parts, ReportItem } from '../../document/document.ts';
import { toned } from '../../document/document.ts';
import { judgeRemarks, judgeSummaries } from '../../judge/judge-summaries.ts';
import { neverPassedLine } from '../never-passed.ts';
import type { ReportedScenario, RunReport } from '../run-report.ts';
import { trialStrip } from '../terminal/trial-strip.ts';
import { isGreen, verdictReason, verdictSign } from '../verdict.ts';
import { errorAdvice, stoppedAdvice } from '../words/advice.ts';
import { flakyLines } from '../words/flaky-lines.ts';
import { gateLines, missedGates } from '../words/gate-words.ts';
import { quarantineLines } from '../words/quarantine-lines.ts';
import { overallParts, reliabilityLines } from '../words/reliability.ts';
import { oneDrawNote } from '../words/run-notes.ts';
import { caseTable } from './case-table.ts';
import { crashTable, errorTable, failureTable } from './failure-tables.ts';

/** What the details of one scenario need to know besides the scenario. */
export interface DetailOptions {
  /** Of the terminal. */
  width: number;
  runId: string;
  /** On a terminal, commands about the run need not name it. */
  isLatest: boolean;
  /** What to call the scenario in a command. */
  handle: string;
  title: string;
  /** False if the table above already shows each trial. */
  strip: boolean;
  /** False: the short report. */
  full: boolean;
  /** The short report of a run of one scenario: what a terminal shows at the end of the report is not said here, too. */
  isAlone: boolean;
  /** The command that the end of the short report has, so that it is not here, too. */
  told?: string | undefined;
}

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
export function scenarioDetails(scenario: ReportedScenario, options: DetailOptions): Block {
  const { verdict, file, model, adapter, statuses = [], trials_planned: planned } = scenario;
  const { full, isAlone, strip } = options;
  const inner = { ...options, width: options.width - 2 };
  const sign = verdictSign(verdict);
  const reason = verdictReason(scenario);
  const about: Content[] = [
    { text: isAlone ? '' : reason, print: '' },
    { text: neverPassedLine(scenario) ?? '', tone: 'yellow', bold: true },
    { parts: toned('dim', [...new Set([file, model, adapter])]) },
    { items: gateItems(scenario, options) },
    strip ? trialStrip({ statuses, planned, width: inner.width }) : '',
    ...(full ? statistics(scenario) : parts(judgeRemarks(scenario))),
    ...stoppedLines(scenario, options),
    ...toned('yellow', quarantineLines(scenario)),
  ];
  return {
    symbol: sign,
    title: options.title,
    mark: { text: verdict.replace('_', ' '), tone: sign.tone, print: reason },
    blocks: [
      { lines: about },
      caseTable(scenario, inner),
      failureTable(scenario, inner),
      crashTable(scenario, inner),
      errorTable(scenario, inner),
    ],
  };
}

function parts(lines: readonly string[][]): Parts[] {
  return lines.map((each) => ({ parts: each }));
}

function statistics(scenario: ReportedScenario): Line[] {
  const reliability = reliabilityLines(scenario).map((text): Line => ({ text, own: true, tone: 'dim' }));
  return [...reliability, ...parts(judgeSummaries(scenario))];
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
  const [title, ...lines] = flakyLines(flaky);
  return [
    { lines: [{ parts: overallParts(overall) }] },
    { lines: toned('yellow', [oneDrawNote(scenarios)]) },
    ...(title === undefined
      ? []
      : [
          {
            title: { text: title, tone: 'yellow' as const },
            items: toned('yellow', lines).map((text) => ({ text })),
            isOpen: true,
          },
        ]),
  ];
}

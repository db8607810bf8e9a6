import type { AssertionFailure, ErrorGroup, Verdict } from '../../../run/record/run-document.ts';
import { costOfAgents, costOfJudges } from '../../../run/record/run-document.ts';
import {
  formatAmount,
  formatLatency,
  formatPercent,
  formatPlural,
  formatScore,
  MISSING,
  oneDigit,
} from '../../../stats/format.ts';
import { firstFrame } from '../../../text/errors/own-stack.ts';
import { judgeRemarks, judgeSummaries } from '../../judge/judge-summaries.ts';
import { judgeMarkdown } from '../../judge/judge-words.ts';
import { markdownText } from '../../markdown-text.ts';
import { neverPassedLine } from '../never-passed.ts';
import { isJudged, type ReportedScenario, type RunReport, totalParts } from '../run-report.ts';
import {
  alikeWords,
  caseReason,
  casesInWords,
  casesToShow,
  isToldByCases,
  skipReasons,
} from '../terminal/case-lines.ts';
import { matrixMarkdown } from '../terminal/matrix-table.ts';
import { hasDetails } from '../terminal/scenario-details.ts';
import { exitMeaning, verdictReason } from '../verdict.ts';
import { CRASH_ADVICE, errorAdvice } from '../words/advice.ts';
import { caseLabel } from '../words/case-label.ts';
import { flakyLines } from '../words/flaky-lines.ts';
import { gateLines, missedGates } from '../words/gate-words.ts';
import { quarantineLines } from '../words/quarantine-lines.ts';
import { overallParts, reliabilityLines } from '../words/reliability.ts';
import { replayCommand } from '../words/replay-command.ts';
import { answeredByNote, declaredToolsNote, intervalText, oneDrawNote } from '../words/run-notes.ts';
import { scenarioHandles, scenarioTitles } from '../words/scenario-handles.ts';
import { type ListedTrials, whichTrials } from '../words/which-trials.ts';

const ICONS: Record<Verdict, string> = {
  PASS: '✅',
  PARTIAL: '🟡',
  FAIL: '❌',
  HARD_FAIL: '⛔',
  UNSCORED: '❔',
  RECORDED: '⏺️',
  SKIPPED: '⏭️',
  QUARANTINED: '🚧',
};
const MOST_FAILURES = 20;
const LONGEST_NAME = 200;
const LONGEST_TEXT = 4000;
/** GitHub rejects a step summary above 1 MiB. The rest is for the lines that say what was cut. */
const MOST_BYTES = 1024 * 1024 - 1024;
const MOST_TABLE_BYTES = MOST_BYTES / 2;

/** GitHub-flavoured Markdown of a run, for `$GITHUB_STEP_SUMMARY` or a comment. Always below 1 MiB, and says what was cut. */
export function renderMarkdown(report: RunReport): string {
  const { scenarios, full = false } = report;
  const heading = `${headline(report)}\n\n`;
  const { head, body, below } = figuresOf(report);
  const aboutAll = [answeredByNote(scenarios), declaredToolsNote(scenarios)].filter((note) => note !== null);
  const figures = [...below, ...(full ? statistics(report) : []), ...aboutAll.map((note) => markdownText(note))].filter(
    (line) => line !== '',
  );
  const rows = takeWhileFits(body, (row) => row, MOST_TABLE_BYTES);
  const missingRows = body.length - rows.length;
  const table = [...head, ...rows].map((row) => `${row}\n`).join('');
  const cutRows =
    missingRows > 0
      ? `\n_${formatPlural(missingRows, report.matrix ? 'more row' : 'more scenario')} left out: the summary is limited to 1 MiB._\n`
      : '';
  const top = `${heading}${table}${cutRows}\n${figures.map((line) => `${line}\n\n`).join('')}`;

  const handles = scenarioHandles(scenarios);
  const titles = scenarioTitles(scenarios);
  const detailed = scenarios.flatMap((scenario, index) =>
    hasDetails(scenario, { full })
      ? [{ scenario, handle: handles[index] ?? scenario.name, title: titles[index] ?? '' }]
      : [],
  );
  const room = MOST_BYTES - Buffer.byteLength(top);
  const shown = takeWhileFits(detailed, (each) => detailBlock(each, report), room);
  const missing = detailed.length - shown.length;
  const cut =
    missing > 0
      ? `\n_Details of ${formatPlural(missing, 'more scenario')} left out: the summary is limited to 1 MiB._\n`
      : '';
  return `${top}${shown.join('')}${cut}`;
}

/** Figures over all scenarios, which of them are of a single draw, and what is flaky. */
function statistics({ overall, scenarios, flaky = [] }: RunReport): string[] {
  const oneDraw = oneDrawNote(scenarios);
  const lines = flakyLines(flaky).map((line, index) => `${index === 0 ? '' : '- '}${markdownText(line)}`);
  return [overallParts(overall).join(' · '), oneDraw === null ? '' : markdownText(oneDraw), lines.join('\n')];
}

/** The table of scenarios, or of scenarios and models with what follows from it. */
function figuresOf({ matrix, scenarios, full = false }: RunReport): {
  head: string[];
  body: string[];
  below: string[];
} {
  if (matrix) {
    const { table, sentences } = matrixMarkdown(matrix, scenarios, ICONS);
    return { head: table.slice(0, 2), body: table.slice(2), below: sentences };
  }
  const judged = scenarios.some(isJudged);
  return {
    head: tableHead(judged),
    body: scenarios.map((scenario) => tableRow(scenario, { judged, full })),
    below: [],
  };
}

function tableHead(judged: boolean): string[] {
  return [
    `| | Scenario | Passed | Rate | 95% interval | Score (min) | Cost |${judged ? ' Judges |' : ''} Latency p50 / p95 |`,
    `|---|---|--:|--:|--:|--:|--:|${judged ? '--:|' : ''}--:|`,
  ];
}

function headline(report: RunReport): string {
  const meaning = withoutTags(exitMeaning(report));
  const notes = (report.notes ?? []).map((note) => `\n\n> ${markdownText(note, 500)}`).join('');
  return (
    `## ${ICONS[report.verdict]} ${report.verdict.replace('_', ' ')}: ${meaning}\n\n` +
    `${totalParts(report).join(' · ')} · run ${markdownText(report.run_id, 60)} · exit code ${report.exit_code}${notes}`
  );
}

/** A sentence of ours, which may quote a name or a reason of the project. */
function withoutTags(sentence: string): string {
  return sentence.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function tableRow(scenario: ReportedScenario, { judged, full }: { judged: boolean; full: boolean }): string {
  const cells = [
    ICONS[scenario.verdict],
    markdownText(scenario.name, LONGEST_NAME),
    scenario.trials_scored === 0 ? MISSING : `${scenario.trials_passed}/${scenario.trials_scored}`,
    formatPercent(scenario.pass_rate),
    intervalText(scenario, { full }),
    scenario.score_avg === null ? MISSING : `${formatScore(scenario.score_avg)} (${formatScore(scenario.score_min)})`,
    formatAmount(costOfAgents(scenario)),
    ...(judged ? [isJudged(scenario) ? formatAmount(costOfJudges(scenario)) : MISSING] : []),
    formatLatency(scenario.trials_scored, [scenario.latency_p50, scenario.latency_p95], ' / '),
  ];
  return `| ${cells.join(' | ')} |`;
}

function detailBlock(
  { scenario, handle, title }: { scenario: ReportedScenario; handle: string; title: string },
  { run_id: runId, full = false }: Pick<RunReport, 'run_id' | 'full'>,
): string {
  const replay = ({ trial_numbers, trial_cases }: ListedTrials) => {
    const place = { runId, scenario: handle, caseName: trial_cases?.[0], trialNumber: trial_numbers[0] ?? 1 };
    return `<code>${markdownText(replayCommand(place))}</code>`;
  };
  const trialsCell = (trials: ListedTrials, count: number) =>
    `${markdownText(whichTrials(trials, count).replace(/^trials? /, ''), LONGEST_NAME)}<br>${replay(trials)}`;
  const failures = scenario.assertion_failures.slice(0, MOST_FAILURES).map((failure) => {
    const required = failure.required ? ' **required**' : '';
    const count = `${failure.fail_count}/${scenario.trials_scored}`;
    const lost = full ? `| ${oneDigit(failure.lost_weight)} ` : '';
    const isTold = !full && isToldByCases(failure, scenario);
    return `${lost}| ${count} | ${markdownText(failure.assertion_id, LONGEST_NAME)}${required} | ${isTold ? '' : example(failure)} | ${trialsCell(failure, failure.fail_count)} |`;
  });
  const rest = scenario.assertion_failures.length - failures.length;
  const failureTable =
    failures.length === 0
      ? []
      : [
          `${full ? '| Lost ' : ''}| Fails | Assertion | Example | Trials |`,
          `${full ? '|--:' : ''}|--:|---|---|---|`,
          ...failures,
          ...(rest > 0 ? ['', `and ${formatPlural(rest, 'more failing assertion')}`] : []),
          '',
        ];
  const group = (errors: ErrorGroup) => {
    const { count, message, stack } = errors;
    const frame = stack === undefined ? null : firstFrame(stack);
    const place = frame === null ? '' : `<br>${markdownText(frame, LONGEST_TEXT)}`;
    return `- ${count}× ${markdownText(message, LONGEST_TEXT)}${place}<br>${markdownText(whichTrials(errors, count), LONGEST_NAME)}: ${replay(errors)}`;
  };
  const crashed = titled(
    `**The agent crashed in ${formatPlural(scenario.trials_crashed, 'trial')}** (counted as failed):`,
    scenario.crashes.slice(0, MOST_FAILURES).map(group),
    full ? [CRASH_ADVICE] : [],
  );
  const about = { runId, file: scenario.file };
  const advice = new Set(scenario.errors.flatMap((each) => errorAdvice(each, about) ?? []));
  const unscored = titled(
    `**${formatPlural(scenario.trials_unscored, 'trial')} not scored** (not counted as failed):`,
    scenario.errors.slice(0, MOST_FAILURES).map(group),
    [...advice].map((line) => markdownText(line)),
  );
  const stopped =
    scenario.stopped === null
      ? []
      : [
          `${scenario.trials_total + scenario.trials_not_judged} of ${formatPlural(scenario.trials_planned, 'planned trial')} ran (${scenario.stopped.replace('_', ' ')}).`,
          '',
          ...(scenario.stop_error ? [markdownText(scenario.stop_error.message, 500), ''] : []),
        ];
  return [
    `<details><summary>${ICONS[scenario.verdict]} <b>${markdownText(title, LONGEST_NAME)}</b>: ${withoutTags(verdictReason(scenario))}</summary>`,
    '',
    markdownText([...new Set([scenario.file, scenario.model, scenario.adapter])].join(' · '), 300),
    '',
    ...neverPassed(scenario),
    ...gateTable(full ? gateLines(scenario) : missedGates(scenario)),
    ...(full ? scenarioStatistics(scenario) : paragraphs(judgeRemarks(scenario))),
    ...stopped,
    ...quarantineLines(scenario).flatMap((line) => [markdownText(line, LONGEST_TEXT), '']),
    ...casesTable(scenario, { full }),
    ...failureTable,
    ...crashed,
    ...unscored,
    '</details>\n',
  ].join('\n');
}

function neverPassed(scenario: ReportedScenario): string[] {
  const line = neverPassedLine(scenario);
  return line === null ? [] : [`**${markdownText(line, LONGEST_TEXT)}**`, ''];
}

function scenarioStatistics(scenario: ReportedScenario): string[] {
  return [
    ...reliabilityLines(scenario).flatMap((line) => [line.replaceAll(/ {2,}/g, ' '), '']),
    ...paragraphs(judgeSummaries(scenario)),
  ];
}

function paragraphs(lines: readonly string[][]): string[] {
  return lines.flatMap((parts) => [markdownText(parts.join(' · '), 500), '']);
}

function gateTable(gates: ReturnType<typeof gateLines>): string[] {
  const lines = gates.map(({ met, text }) => {
    const icon = met === null ? ICONS.UNSCORED : met ? ICONS.PASS : ICONS.FAIL;
    return `- ${icon} ${markdownText(text, LONGEST_TEXT)}`;
  });
  return lines.length === 0 ? [] : [...lines, ''];
}

function casesTable(scenario: ReportedScenario, { full }: { full: boolean }): string[] {
  const words = casesInWords(scenario);
  if (words === '') return [];
  const { shown, left } = casesToShow(scenario, { full });
  const rows = shown.map((each) => {
    const { verdict, case: name, case_index, trials_passed, trials_scored } = each.first;
    const label = markdownText(caseLabel(name, scenario.beginnings?.get(case_index)), LONGEST_NAME);
    const alike = each.alike.length === 0 ? '' : `<br>${markdownText(alikeWords(each), LONGEST_TEXT)}`;
    return `| ${ICONS[verdict]} | ${label}${alike} | ${trials_passed}/${trials_scored} | ${markdownText(caseReason(each.first), LONGEST_TEXT)} |`;
  });
  const table = rows.length === 0 ? [] : ['| | Case | Passed | Why |', '|---|---|--:|---|', ...rows, ''];
  const more = left > 0 ? [`and ${formatPlural(left, 'more case')} that did not pass`, ''] : [];
  return [
    words,
    '',
    ...skipReasons(scenario).flatMap((line) => [markdownText(line, LONGEST_TEXT), '']),
    ...table,
    ...more,
  ];
}

/** Nothing without lines; otherwise the lines as a paragraph, with what follows from them below. */
function titled(title: string, lines: readonly string[], below: readonly string[] = []): string[] {
  return lines.length === 0 ? [] : [title, '', ...lines, '', ...below.flatMap((line) => [line, ''])];
}

function example({ judge, example }: AssertionFailure): string {
  return judge ? judgeMarkdown(judge) : markdownText(example, LONGEST_TEXT);
}

/** Renders one by one, because rendering what does not fit would take more time than all the rest. */
function takeWhileFits<T>(items: readonly T[], render: (item: T) => string, bytes: number): string[] {
  const texts: string[] = [];
  let used = 0;
  for (const item of items) {
    const text = render(item);
    used += Buffer.byteLength(text) + 1;
    if (used > bytes) break;
    texts.push(text);
  }
  return texts;
}

import type { AssertionFailure, Verdict } from '../../run/run-document.ts';
import { judgeSummaries } from '../judge/judge-summaries.ts';
import { judgeMarkdown } from '../judge/judge-words.ts';
import { markdownText } from '../markdown-text.ts';
import {
  formatInterval,
  formatMoney,
  formatNumbers,
  formatPercent,
  formatPlural,
  formatScore,
  formatSeconds,
} from '../terminal/format.ts';
import { isJudged, type ReportedScenario, type RunReport, totalParts } from './run-report.ts';
import { hasDetails } from './scenario-details.ts';
import { exitMeaning, verdictReason } from './verdict.ts';

const ICONS: Record<Verdict, string> = {
  PASS: '✅',
  PARTIAL: '🟡',
  FAIL: '❌',
  HARD_FAIL: '⛔',
  UNSCORED: '❔',
  RECORDED: '⏺️',
};
const MOST_FAILURES = 20;
/** GitHub rejects a step summary above 1 MiB. The rest is for the lines that say what was cut. */
const MOST_BYTES = 1024 * 1024 - 1024;
const MOST_TABLE_BYTES = MOST_BYTES / 2;

/** GitHub-flavoured Markdown of a run, for `$GITHUB_STEP_SUMMARY` or a comment. Always below 1 MiB, and says what was cut. */
export function renderMarkdown(report: RunReport): string {
  const { scenarios } = report;
  const heading = `${headline(report)}\n\n`;
  const judged = scenarios.some(isJudged);
  const rows = takeWhileFits(scenarios, (scenario) => tableRow(scenario, judged), MOST_TABLE_BYTES);
  const missingRows = scenarios.length - rows.length;
  const table = [...tableHead(judged), ...rows].map((row) => `${row}\n`).join('');
  const cutRows =
    missingRows > 0
      ? `\n_${formatPlural(missingRows, 'more scenario')} left out: the summary is limited to 1 MiB._\n`
      : '';
  const top = `${heading}${table}${cutRows}\n`;

  const detailed = scenarios.filter(hasDetails);
  const room = MOST_BYTES - Buffer.byteLength(top);
  const shown = takeWhileFits(detailed, (scenario) => detailBlock(scenario, report.run_id), room);
  const missing = detailed.length - shown.length;
  const cut =
    missing > 0
      ? `\n_Details of ${formatPlural(missing, 'more scenario')} left out: the summary is limited to 1 MiB._\n`
      : '';
  return `${top}${shown.join('')}${cut}`;
}

function tableHead(judged: boolean): string[] {
  return [
    `| | Scenario | Passed | Rate | 95% interval | Score (min) | Cost |${judged ? ' Judges |' : ''} Latency p50 / p95 |`,
    `|---|---|--:|--:|--:|--:|--:|${judged ? '--:|' : ''}--:|`,
  ];
}

function headline(report: RunReport): string {
  const meaning = exitMeaning(report);
  const notes = (report.notes ?? []).map((note) => `\n\n> ${markdownText(note, 500)}`).join('');
  return (
    `## ${ICONS[report.verdict]} ${report.verdict.replace('_', ' ')}: ${meaning}\n\n` +
    `${totalParts(report).join(' · ')} · run ${markdownText(report.run_id, 60)} · exit code ${report.exit_code}${notes}`
  );
}

function tableRow(scenario: ReportedScenario, judged: boolean): string {
  const cells = [
    ICONS[scenario.verdict],
    markdownText(scenario.name, 80),
    scenario.trials_scored === 0 ? '-' : `${scenario.trials_passed}/${scenario.trials_scored}`,
    formatPercent(scenario.pass_rate),
    formatInterval(scenario.pass_rate_ci),
    scenario.score_avg === null ? '-' : `${formatScore(scenario.score_avg)} (${formatScore(scenario.score_min)})`,
    formatMoney(scenario.cost_total_usd),
    ...(judged ? [isJudged(scenario) ? formatMoney(scenario.judge_cost_usd) : '-'] : []),
    scenario.latency_p50 === null
      ? '-'
      : `${formatSeconds(scenario.latency_p50)} / ${formatSeconds(scenario.latency_p95)}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function detailBlock(scenario: ReportedScenario, runId: string): string {
  const failures = scenario.assertion_failures.slice(0, MOST_FAILURES).map((failure) => {
    const required = failure.required ? ' **required**' : '';
    const count = `${failure.fail_count}/${scenario.trials_scored}`;
    return `| ${failure.lost_weight.toFixed(1)} | ${count} | ${markdownText(failure.assertion_id, 80)}${required} | ${example(failure)} | ${formatNumbers(failure.trial_numbers)} |`;
  });
  const rest = scenario.assertion_failures.length - failures.length;
  const failureTable =
    failures.length === 0
      ? []
      : [
          '| Lost | Fails | Assertion | Example | Trials |',
          '|--:|--:|---|---|---|',
          ...failures,
          ...(rest > 0 ? ['', `and ${formatPlural(rest, 'more failing assertion')}`] : []),
          '',
        ];
  const errors = scenario.errors
    .slice(0, MOST_FAILURES)
    .map(
      ({ count, message, trial_numbers }) =>
        `- ${count}× ${markdownText(message, 400)} (trials ${formatNumbers(trial_numbers)})`,
    );
  const unscored =
    errors.length === 0
      ? []
      : [
          `**${formatPlural(scenario.trials_unscored, 'trial')} not scored** (not counted as failed):`,
          '',
          ...errors,
          '',
        ];
  const stopped =
    scenario.stopped === null
      ? []
      : [
          `${scenario.trials_total} of ${formatPlural(scenario.trials_planned, 'planned trial')} ran (${scenario.stopped.replace('_', ' ')}).`,
          '',
        ];
  const trace = scenario.trace_id
    ? [
        `Look at it: <code>salvo replay ${markdownText(scenario.trace_id, 80)}</code>, run ${markdownText(runId, 60)}`,
        '',
      ]
    : [];
  return [
    `<details><summary>${ICONS[scenario.verdict]} <b>${markdownText(scenario.name, 80)}</b>: ${verdictReason(scenario)}</summary>`,
    '',
    markdownText([scenario.file, scenario.model, scenario.adapter].join(' · '), 300),
    '',
    ...judgeSummaries(scenario).flatMap((parts) => [markdownText(parts.join(' · '), 500), '']),
    ...stopped,
    ...failureTable,
    ...unscored,
    ...trace,
    '</details>\n',
  ].join('\n');
}

function example({ judge, example }: AssertionFailure): string {
  return judge ? judgeMarkdown(judge) : markdownText(example, 400);
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

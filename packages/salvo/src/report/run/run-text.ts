import { costOfAgents, costOfJudges, costOfUsers } from '../../run/record/run-document.ts';
import { formatAmount, formatLatency, formatPercent, formatScore, MISSING } from '../../stats/format.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';
import {
  type Block,
  column,
  figure,
  type ReportDocument,
  type ReportTable,
  table,
  toned,
} from '../document/document.ts';
import { hasRoomFor, toTerminal } from '../document/terminal.ts';
import type { Look } from '../terminal/look.ts';
import { isJudged, passedOf, type ReportedScenario, type RunReport, totalParts } from './run-report.ts';
import { stripLegend, trialStrip } from './terminal/trial-strip.ts';
import { exitMeaning, isCounted, isGreen, verdictReason, verdictSign } from './verdict.ts';
import { replayCommand } from './words/replay-command.ts';
import { answeredByNote, declaredToolsNote, intervalText, observedAloneNote } from './words/run-notes.ts';
import { scenarioHandles, scenarioTitles } from './words/scenario-handles.ts';

/** The report of a run for a terminal, followed by its comparison with a baseline. */
export async function runText(report: RunReport, look: Look): Promise<string> {
  const [ofRun, against] = [await runDocument(report), await againstDocument(report, report.full)];
  return toTerminal((width) => [...ofRun(width), ...against], look);
}

/** The same as GitHub-flavoured Markdown, for `$GITHUB_STEP_SUMMARY` or a comment. */
export async function runMarkdown(report: RunReport): Promise<string> {
  const { toMarkdown } = await import('../document/markdown.ts');
  const text = toMarkdown((await runDocument(report))(PRINTED_WIDTH));
  if (!report.against) return text;
  return `${text}\n${toMarkdown(await againstDocument(report), '###')}`;
}

/** Decides only about what a terminal shows. */
const PRINTED_WIDTH = 80;

/** In Markdown the comparison has its sentences in any case. */
async function againstDocument(report: RunReport, isLong = true): Promise<ReportDocument> {
  const { against, exit_code, full = false } = report;
  if (!against) return [];
  const { againstReport } = await import('../compare/against-report.ts');
  return againstReport(against, { isGreen: exit_code === 0, full, isLong });
}

/** What there is to say about a run, for a terminal of a given width. */
async function runDocument(report: RunReport): Promise<(width: number) => ReportDocument> {
  const { matrix, scenarios, full = false, isLatest = false } = report;
  // The short report of one model in which all is well needs none of these.
  const ofMatrix = matrix ? (await import('./parts/matrix-table.ts')).matrixBlocks(matrix, scenarios) : null;
  const details = scenarios.some((each) => full || mayHaveDetails(each))
    ? await import('./parts/scenario-details.ts')
    : null;
  const runId = safeLine(report.run_id, 40);
  const isAlone = !full && isVerdictOfOne(report);
  const told = isAlone ? replayOfWorst(report)[0]?.command : undefined;
  const [handles, titles] = [scenarioHandles(scenarios), scenarioTitles(scenarios)];
  return (width) => {
    const ofScenarios = scenarioTable(report, width);
    const strip = ofMatrix !== null || !hasRoomFor('Trials', ofScenarios, width);
    return [
      headline(report),
      ...(ofMatrix ?? [ofScenarios]),
      legend(report),
      ...(full && details ? details.runStatistics(report) : []),
      ...toned('yellow', [answeredByNote(scenarios), declaredToolsNote(scenarios), observedAloneNote(scenarios)]).map(
        (note) => ({ lines: [note] }),
      ),
      ...scenarios.flatMap((scenario, index) => {
        if (!details?.hasDetails(scenario, { full })) return [];
        const [handle, title] = [handles[index] ?? scenario.name, titles[index] ?? scenario.name];
        const options = { width, runId, isLatest, handle, title, strip, full, isAlone, told };
        return [details.scenarioDetails(scenario, options)];
      }),
      { lines: toned('yellow', report.notes ?? []), only: 'terminal' },
      verdictFrame(report),
      nextCommands(report, runId),
    ];
  };
}

/** Whether there may be more to tell of a scenario than its row in the table: `hasDetails` knows. */
function mayHaveDetails(scenario: ReportedScenario): boolean {
  const { assertion_failures, crashes, errors, cases, judges, quarantine, stopped } = scenario;
  const told = [assertion_failures, crashes, errors, cases, judges].some((list) => list.length > 0);
  return told || !isGreen(scenario) || quarantine !== null || stopped !== null;
}

/** Whether the verdict of the run is the sentence about its only scenario. */
function isVerdictOfOne(report: RunReport): boolean {
  const [only, ...others] = report.scenarios;
  if (!only || others.length > 0 || !isCounted(only)) return false;
  // What was observed is told beside the verdict at length.
  return (
    (Boolean(report.against) && only.decided_by === 'baseline_observed') ||
    exitMeaning(report).startsWith(verdictReason(only))
  );
}

const STRIP_WIDTH = 24;
/** The verdict, how many passed, and the rate with its interval. */
const ROOM_BESIDE_NAME = 32;
const WIDEST_NAME = 32;
/** All other columns, with a name of usual length. */
const ROOM_BESIDE_STRIP = 110;
/** Before the limit of its size decides. */
const MOST_PRINTED = 10_000;

/** One row per scenario. A narrow terminal shows fewer columns. */
function scenarioTable({ scenarios, full = false }: RunReport, width: number): ReportTable {
  const names = scenarioTitles(scenarios);
  // If no cost is known, the line of totals says so once.
  const hasCosts = scenarios.some(({ cost_total_usd }) => cost_total_usd !== null);
  const hasScores = full || scenarios.some(({ threshold, min_score }) => threshold !== null || min_score !== null);
  const nameWidth = Math.max(12, Math.min(Math.max(WIDEST_NAME, width - 120), width - ROOM_BESIDE_NAME));
  const stripWidth = Math.max(STRIP_WIDTH, width - ROOM_BESIDE_STRIP);
  return table(
    scenarios,
    [
      column('', { priority: 9 }, ({ verdict }) => verdictSign(verdict)),
      column('Scenario', { priority: 10, min: nameWidth }, ({ name }, index) => ({
        text: names[index] ?? name,
        tone: 'bold',
        most: 1000,
      })),
      column('Trials', { priority: 1, only: 'terminal' }, ({ statuses = [], trials_planned: planned }) =>
        trialStrip({ statuses, planned, width: stripWidth }),
      ),
      figure('Passed', 8, passedOf),
      figure('Rate', 7, ({ pass_rate, verdict }) => ({
        text: formatPercent(pass_rate),
        tone: verdictSign(verdict).tone,
      })),
      figure('95% CI', 6, (scenario) => ({ text: intervalText(scenario, { full }), tone: 'dim' })),
      hasScores &&
        figure('Score (min)', 4, ({ score_avg, score_min }) =>
          score_avg === null ? MISSING : `${formatScore(score_avg)} (${formatScore(score_min)})`,
        ),
      // The line of totals says what is missing.
      hasCosts && figure('Cost', 5, (scenario) => formatAmount(costOfAgents(scenario))),
      scenarios.some(hasUserCost) &&
        figure('Users', 4.6, (scenario) => (hasUserCost(scenario) ? formatAmount(costOfUsers(scenario)) : MISSING)),
      scenarios.some(isJudged) &&
        figure('Judges', 4.5, (scenario) => (isJudged(scenario) ? formatAmount(costOfJudges(scenario)) : MISSING)),
      figure('p50/p95', 3, ({ trials_scored, latency_p50, latency_p95 }) =>
        formatLatency(trials_scored, [latency_p50, latency_p95]),
      ),
    ],
    { printed: MOST_PRINTED },
  );
}

function hasUserCost({ user_cost_usd }: ReportedScenario): boolean {
  return user_cost_usd !== undefined;
}

/** Markdown begins with the verdict, a terminal ends with it. */
function headline(report: RunReport): Block {
  const { verdict, run_id, exit_code, notes = [] } = report;
  return {
    only: 'print',
    heading: `${verdictSign(verdict).print} ${verdict.replace('_', ' ')}: ${exitMeaning(report)}`,
    lines: [{ parts: [...totalParts(report), `run ${run_id}`, `exit code ${exit_code}`] }, ...notes],
  };
}

function legend({ scenarios }: RunReport): Block {
  const statuses = new Set(scenarios.flatMap((scenario) => scenario.statuses ?? []));
  return { lines: [{ parts: toned('dim', stripLegend(statuses)) }], only: 'terminal' };
}

function verdictFrame(report: RunReport): Block {
  const { text: symbol, tone } = verdictSign(report.verdict);
  const word = { text: `${symbol} ${report.verdict.replace('_', ' ')}`, tone, bold: true };
  const meaning = `exit code ${report.exit_code}: ${exitMeaning(report)}`;
  const totals = { parts: toned('dim', totalParts(report)) };
  return { only: 'terminal', frame: tone, lines: [{ parts: [word, meaning], separator: '   ' }, totals] };
}

function nextCommands(report: RunReport, runId: string): Block {
  const commands = [
    ...replayOfWorst(report),
    { command: `${salvoCommand()} view ${runId}`, purpose: 'all conversations, in a browser' },
    report.full
      ? { command: `${salvoCommand()} report ${runId}`, purpose: 'the short report' }
      : { command: `${salvoCommand()} report ${runId} --full`, purpose: 'with all statistics' },
  ];
  const rows = table(
    commands,
    [
      column('Command', { priority: 2 }, ({ command }) => ({ text: `${command} `, tone: 'cyan', own: true })),
      column('Purpose', { priority: 1, place: 'below if narrow' }, ({ purpose: text }) => ({ text, tone: 'dim' })),
    ],
    { bare: true, only: 'terminal' },
  );
  return { ...rows, indent: 1 };
}

/** The conversation that explains the verdict best: of a scenario that failed, before one with tolerated failures. */
function replayOfWorst({ scenarios, isLatest, run_id }: RunReport): { command: string; purpose: string }[] {
  const counted = scenarios.filter(isCounted);
  const withFailure = (counted.length > 0 ? counted : scenarios).filter(hasFailedTrial);
  const worst =
    withFailure.find((scenario) => !isGreen(scenario)) ??
    withFailure[0] ??
    scenarios.find((scenario) => !isGreen(scenario) && scenario.worst);
  if (!worst?.worst) return [];
  const { case: caseName, trial_number: trialNumber, status } = worst.worst;
  const scenario = scenarioHandles(scenarios)[scenarios.indexOf(worst)] ?? worst.name;
  const command = replayCommand({ runId: isLatest ? null : run_id, scenario, caseName, trialNumber });
  const purpose = {
    passed: '',
    failed: 'the conversation of a failed trial',
    hard_fail: 'the conversation of a failed trial',
    crashed: 'where the agent crashed',
    unscored: 'the trial that was not scored',
  }[status];
  return [{ command, purpose }];
}

function hasFailedTrial({ worst }: ReportedScenario): boolean {
  return worst !== undefined && worst.status !== 'unscored';
}

import { displayWidth, safeLine } from '../../../text/output/safe-text.ts';
import { salvoCommand } from '../../../text/output/salvo-command.ts';
import { type Look, renderFor } from '../../terminal/look.ts';
import type { Style } from '../../terminal/style.ts';
import { joinBlocks, joinParts, wrap } from '../../terminal/wrap.ts';
import { type ReportedScenario, type RunReport, totalParts } from '../run-report.ts';
import { exitMeaning, isCounted, isGreen, verdictReason, verdictSymbol, verdictTone } from '../verdict.ts';
import { replayCommand } from '../words/replay-command.ts';
import { answeredByNote, declaredToolsNote } from '../words/run-notes.ts';
import { scenarioHandles, scenarioTitles } from '../words/scenario-handles.ts';
import { renderScenarioTable } from './scenario-table.ts';
import { stripLegend } from './trial-strip.ts';

/** The report of a run for the terminal. No line is wider than the terminal, and untrusted text is made harmless. */
export async function renderRunReport(report: RunReport, look: Look): Promise<string> {
  const { isLatest = false, full = false } = report;
  const { matrix, scenarios } = report;
  // The short report of one model in which all is well needs none of these.
  const ofFull = full ? await import('./full-statistics.ts') : null;
  const ofMatrix = matrix ? await import('./matrix-table.ts') : null;
  const details = scenarios.some((each) => full || mayHaveDetails(each)) ? await import('./scenario-details.ts') : null;
  return renderFor(look, ({ width, style }) => {
    const runId = safeLine(report.run_id, 40);
    const table = matrix ? null : renderScenarioTable({ scenarios, width, style, full });
    const [figures = [], ...below] =
      matrix && ofMatrix ? ofMatrix.renderMatrix({ matrix, scenarios, width, style }) : [table?.lines ?? []];
    const strip = !table?.shown.includes('trials');
    const aboutAll = [answeredByNote(scenarios), declaredToolsNote(scenarios)].filter((note) => note !== null);
    const isAlone = !full && isVerdictOfOne(report);
    const told = isAlone ? replayOfWorst(report)[0]?.command : undefined;
    const handles = scenarioHandles(report.scenarios);
    const titles = scenarioTitles(report.scenarios);
    return joinBlocks([
      figures,
      ...below,
      legend(report, width, style),
      ...(ofFull?.overallStatistics(report, { width, style }) ?? []),
      ...aboutAll.map((note) => wrap(note, width).map(style.yellow)),
      ...report.scenarios.map((scenario, index) => {
        const handle = handles[index] ?? scenario.name;
        const options = { width, style, runId, isLatest, handle, title: titles[index], strip, full, isAlone, told };
        return details?.hasDetails(scenario, { full }) ? details.renderScenarioDetails(scenario, options) : [];
      }),
      ofFull?.flakyBlock(report, { width, style }) ?? [],
      (report.notes ?? []).flatMap((note) => wrap(safeLine(note), width)).map(style.yellow),
      verdictBlock(report, width, style),
      nextCommands(report, runId, width, style),
    ]);
  });
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

function legend({ scenarios }: RunReport, width: number, style: Style): string[] {
  const statuses = new Set(scenarios.flatMap((scenario) => scenario.statuses ?? []));
  return joinParts(stripLegend(statuses), width).map(style.dim);
}

function verdictBlock(report: RunReport, width: number, style: Style): string[] {
  const paint = style[verdictTone(report.verdict)];
  const rule = paint('━'.repeat(width));
  const word = `${verdictSymbol(report.verdict)} ${report.verdict.replace('_', ' ')}`;
  const meaning = `exit code ${report.exit_code}: ${exitMeaning(report)}`;
  const oneLine = word.length + meaning.length + 6 <= width;
  const heading = oneLine
    ? [` ${style.bold(paint(word))}   ${meaning}`]
    : [` ${style.bold(paint(word))}`, ...wrap(meaning, width - 1).map((line) => ` ${line}`)];
  const totalLines = joinParts(totalParts(report), width - 1).map((line) => ` ${style.dim(line)}`);
  return [rule, ...heading, ...totalLines, rule];
}

function nextCommands(report: RunReport, runId: string, width: number, style: Style): string[] {
  const commands = [
    ...replayOfWorst(report),
    { command: `${salvoCommand()} view ${runId}`, purpose: 'all conversations, in a browser' },
    report.full
      ? { command: `${salvoCommand()} report ${runId}`, purpose: 'the short report' }
      : { command: `${salvoCommand()} report ${runId} --full`, purpose: 'with all statistics' },
  ];
  const column = Math.max(...commands.map(({ command }) => displayWidth(command))) + 3;
  const fits = commands.every(({ purpose }) => column + purpose.length + 1 <= width);
  return commands.flatMap(({ command, purpose }) =>
    fits
      ? [` ${style.cyan(command)}${' '.repeat(column - displayWidth(command))}${style.dim(purpose)}`]
      : [...wrap(` ${command}`, width).map(style.cyan), ...wrap(`   ${purpose}`, width).map(style.dim)],
  );
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

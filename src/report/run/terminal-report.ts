import { displayWidth, safeLine, shorten } from '../../text/safe-text.ts';
import { type Look, renderFor } from '../terminal/look.ts';
import type { Style } from '../terminal/style.ts';
import { joinBlocks, joinParts, wrap } from '../terminal/wrap.ts';
import { type RunReport, totalParts } from './run-report.ts';
import { hasDetails, renderScenarioDetails } from './scenario-details.ts';
import { renderScenarioTable } from './scenario-table.ts';
import { stripLegend } from './trial-strip.ts';
import { exitMeaning, verdictPaint, verdictSymbol } from './verdict.ts';

/** The report of a run for the terminal. No line is wider than the terminal, and untrusted text is made harmless. */
export function renderRunReport(report: RunReport, look: Look): string {
  return renderFor(look, ({ width, style }) => {
    const runId = safeLine(report.run_id, 40);
    const table = renderScenarioTable({ scenarios: report.scenarios, width, style });
    const strip = !table.shown.includes('trials');
    return joinBlocks([
      [...table.lines, ...legend(report, width, style)],
      ...report.scenarios
        .filter(hasDetails)
        .map((scenario) => renderScenarioDetails(scenario, { width, style, runId, strip })),
      (report.notes ?? []).flatMap((note) => wrap(safeLine(note), width)).map(style.yellow),
      verdictBlock(report, width, style),
      nextCommands(report, runId, width, style),
    ]);
  });
}

function legend({ scenarios }: RunReport, width: number, style: Style): string[] {
  const statuses = new Set(scenarios.flatMap((scenario) => scenario.statuses ?? []));
  const lines = joinParts(stripLegend(statuses), width);
  return lines.length === 0 ? [] : ['', ...lines.map(style.dim)];
}

function verdictBlock(report: RunReport, width: number, style: Style): string[] {
  const paint = verdictPaint(report.verdict, style);
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
  const trace = report.scenarios.find((scenario) => scenario.verdict !== 'PASS' && scenario.trace_id)?.trace_id;
  const commands = [
    ...(trace ? [[`salvo replay ${safeLine(trace).slice(0, 12)}`, 'the conversation of a failed trial'] as const] : []),
    [`salvo report ${runId}`, 'this report again'] as const,
  ];
  const column = Math.max(...commands.map(([command]) => displayWidth(command))) + 3;
  return commands.map(([command, purpose]) =>
    column + purpose.length + 1 <= width
      ? ` ${style.cyan(command)}${' '.repeat(column - displayWidth(command))}${style.dim(purpose)}`
      : ` ${style.cyan(shorten(command, width - 1))}`,
  );
}

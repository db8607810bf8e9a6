import { flakyCases } from '../../run/flaky-cases.ts';
import type { RunListing } from '../../store/store.ts';
import { safeLine } from '../../text/safe-text.ts';
import { formatMoney, formatPercent, relativeTime } from '../terminal/format.ts';
import { type Look, renderFor } from '../terminal/look.ts';
import type { Style } from '../terminal/style.ts';
import { type Cell, type Column, renderTable } from '../terminal/table.ts';
import { joinBlocks, wrap } from '../terminal/wrap.ts';
import { flakyLines } from './flaky-lines.ts';
import { runTotals } from './run-report.ts';
import { renderScenarioTrends } from './scenario-trend.ts';
import { verdictPaint, verdictSymbol } from './verdict.ts';

type Key = 'symbol' | 'run' | 'when' | 'date' | 'verdict' | 'scenarios' | 'passed' | 'rate' | 'cost' | 'judges';

const COLUMNS: readonly Column<Key>[] = [
  { key: 'symbol', header: '', priority: 9 },
  { key: 'run', header: 'Run', priority: 10 },
  { key: 'when', header: 'When', priority: 7 },
  { key: 'date', header: 'Date', priority: 2 },
  { key: 'verdict', header: 'Verdict', priority: 6 },
  { key: 'scenarios', header: 'Scenarios', priority: 3, min: 14 },
  { key: 'passed', header: 'Passed', align: 'right', priority: 5 },
  { key: 'rate', header: 'Rate', align: 'right', priority: 8 },
  { key: 'cost', header: 'Cost', align: 'right', priority: 4 },
  { key: 'judges', header: 'Judges', align: 'right', priority: 3.5 },
];

/** Past runs in the given order (newest first), and the pass rates of each scenario over them. `now` in milliseconds. */
export function renderHistory(runs: readonly RunListing[], look: Look & { now: number }): string {
  if (runs.length === 0) return 'No runs yet.\n';
  return renderFor(look, ({ width, style }) => {
    const idWidth = shortIdWidth(runs.map(({ run_id }) => run_id));
    const rows = runs.map((run) => row(run, { style, now: look.now, idWidth }));
    const table = renderTable({ columns: COLUMNS, rows, width, style });
    const flaky = flakyLines(flakyCases(runs)).flatMap((line, index) => wrap(index === 0 ? line : `  ${line}`, width));
    return joinBlocks([table.lines, renderScenarioTrends({ runs, width, style }), flaky.map(style.yellow)]);
  });
}

function row(run: RunListing, options: { style: Style; now: number; idWidth: number }): Record<Key, Cell> {
  const { style } = options;
  const summaries = run.scenarios.flatMap(({ summary }) => (summary ? [summary] : []));
  const totals = runTotals(summaries);
  const paint = run.verdict === null ? style.dim : verdictPaint(run.verdict, style);
  return {
    symbol: { text: run.verdict === null ? '◌' : verdictSymbol(run.verdict), paint },
    run: { text: safeLine(run.run_id).slice(0, options.idWidth), paint: style.bold },
    when: { text: relativeTime(run.created_at, options.now) },
    date: { text: shortDate(run.created_at), paint: style.dim },
    verdict: { text: run.verdict === null ? run.status : run.verdict.replace('_', ' '), paint },
    scenarios: { text: scenarioNames(run) },
    passed: { text: totals.scored === 0 ? '-' : `${totals.passed}/${totals.scored}` },
    rate: { text: totals.scored === 0 ? '-' : formatPercent(totals.passed / totals.scored), paint },
    cost: { text: summaries.length === 0 ? '-' : formatMoney(totals.cost.usd), paint: style.dim },
    judges: { text: totals.judgeCost.usd === 0 ? '' : formatMoney(totals.judgeCost.usd), paint: style.dim },
  };
}

function scenarioNames({ scenarios, reeval_of }: RunListing): string {
  const again = reeval_of === null ? '' : 'judged again: ';
  const [first] = scenarios;
  if (!first) return `${again}none`;
  return safeLine(`${again}${first.name}${scenarios.length > 1 ? ` and ${scenarios.length - 1} more` : ''}`, 50);
}

function shortDate(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime())
    ? safeLine(iso, 17)
    : date.toISOString().slice(0, 16).replace('T', ' ').concat('Z');
}

/** The shortest length at which the ids differ, but at least 8. */
function shortIdWidth(ids: readonly string[]): number {
  const longest = ids.reduce((most, id) => Math.max(most, id.length), 8);
  for (let width = 8; width < longest; width += 1) {
    if (new Set(ids.map((id) => id.slice(0, width))).size === new Set(ids).size) return width;
  }
  return longest;
}

import { candidateLabels, isMatrix, scenarioKey } from '../../../run/record/candidate-labels.ts';
import type { ScenarioSummary, Verdict } from '../../../run/record/run-document.ts';
import { flakyCases } from '../../../run/verdict/flaky-cases.ts';
import { runVerdict } from '../../../run/verdict/verdict.ts';
import { formatAmount, formatPercent, MISSING, relativeTime } from '../../../stats/format.ts';
import type { RunListing } from '../../../store/store.ts';
import { safeLine } from '../../../text/output/safe-text.ts';
import { type Look, renderFor } from '../../terminal/look.ts';
import type { Style } from '../../terminal/style.ts';
import { type Cell, type Column, renderTable } from '../../terminal/table.ts';
import { joinBlocks, wrap } from '../../terminal/wrap.ts';
import { runTotals } from '../run-report.ts';
import { verdictPaint, verdictSymbol } from '../verdict.ts';
import { flakyLines } from '../words/flaky-lines.ts';
import { renderScenarioTrends } from './scenario-trend.ts';

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
  if (runs.length === 0) return 'No run is stored yet: salvo run FILE does one.\n';
  return renderFor(look, ({ width, style }) => {
    const idWidth = shortIdWidth(runs.map(({ run_id }) => run_id));
    const rows = runs.flatMap((run) => runRows(run, { style, now: look.now, idWidth }));
    const table = renderTable({ columns: COLUMNS, rows, width, style });
    const flaky = flakyLines(flakyCases(runs)).flatMap((line, index) => wrap(index === 0 ? line : `  ${line}`, width));
    return joinBlocks([table.lines, renderScenarioTrends({ runs, width, style }), flaky.map(style.yellow)]);
  });
}

/** A row for the run. If it compared models, one for each of them below, as their results are not added up. */
function runRows(
  run: RunListing,
  options: { style: Style; now: number; idWidth: number },
): Partial<Record<Key, Cell>>[] {
  const { style } = options;
  const summaries = run.scenarios.flatMap(({ summary }) => (summary ? [summary] : []));
  const { cost, judgeCost } = runTotals(summaries);
  const compared = isMatrix(run.scenarios);
  const row = {
    ...resultCells(summaries, run.verdict, style),
    run: { text: safeLine(run.run_id).slice(0, options.idWidth), paint: style.bold },
    when: { text: relativeTime(run.created_at, options.now) },
    date: { text: shortDate(run.created_at), paint: style.dim },
    scenarios: { text: scenarioNames(run) },
    cost: { text: summaries.length === 0 ? MISSING : formatAmount(cost), paint: style.dim },
    judges: { text: judgeCost.usd === 0 ? '' : formatAmount(judgeCost), paint: style.dim },
    ...(run.verdict === null && { verdict: { text: run.status, paint: style.dim } }),
  };
  if (!compared) return [row];
  const labels = candidateLabels(run.scenarios);
  const byLabel = Map.groupBy(run.scenarios.entries(), ([index]) => labels[index] ?? '');
  const models = [...byLabel].flatMap(([label, entries]) => {
    const own = entries.flatMap(([, { summary }]) => (summary && summary.verdict !== 'SKIPPED' ? [summary] : []));
    if (own.length === 0) return [];
    const { verdict } = runVerdict(own.map((summary) => summary.verdict));
    return [
      {
        ...resultCells(own, verdict, style),
        scenarios: { text: safeLine(`with ${label}`, 50) },
        cost: { text: formatAmount(runTotals(own).cost), paint: style.dim },
      },
    ];
  });
  return [{ ...row, passed: { text: '' }, rate: { text: '' } }, ...models];
}

function resultCells(
  summaries: readonly ScenarioSummary[],
  verdict: Verdict | null,
  style: Style,
): Pick<Record<Key, Cell>, 'symbol' | 'verdict' | 'passed' | 'rate'> {
  const { scored, passed } = runTotals(summaries);
  const paint = verdict === null ? style.dim : verdictPaint(verdict, style);
  return {
    symbol: { text: verdict === null ? '◌' : verdictSymbol(verdict), paint },
    verdict: { text: verdict === null ? '' : verdict.replace('_', ' '), paint },
    passed: { text: scored === 0 ? MISSING : `${passed}/${scored}` },
    rate: { text: scored === 0 ? MISSING : formatPercent(passed / scored), paint },
  };
}

function scenarioNames({ scenarios, reeval_of }: RunListing): string {
  const again = reeval_of === null ? '' : 'judged again: ';
  const [first] = scenarios;
  if (!first) return `${again}none`;
  const others = new Set(scenarios.map(scenarioKey)).size - 1;
  return safeLine(`${again}${first.name}${others > 0 ? ` and ${others} more` : ''}`, 50);
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

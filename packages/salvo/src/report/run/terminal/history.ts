import { byCandidate, isMatrix, scenarioKey } from '../../../run/record/candidate-labels.ts';
import type { ScenarioSummary, Verdict } from '../../../run/record/run-document.ts';
import { flakyCases } from '../../../run/verdict/flaky-cases.ts';
import { runVerdict } from '../../../run/verdict/verdict.ts';
import { formatAmount, formatPercent, MISSING, relativeTime } from '../../../stats/format.ts';
import type { RunListing } from '../../../store/store.ts';
import { safeLine } from '../../../text/output/safe-text.ts';
import { figure, type Text, table } from '../../document/document.ts';
import { toTerminal } from '../../document/terminal.ts';
import type { Look } from '../../terminal/look.ts';
import { runTotals } from '../run-report.ts';
import { verdictSign, verdictTone } from '../verdict.ts';
import { flakyList } from '../words/flaky-lines.ts';
import { scenarioTrends } from './scenario-trend.ts';

interface Row {
  symbol: Text;
  run?: string;
  when?: string;
  date?: string;
  verdict: Text;
  scenarios: string;
  passed: string;
  rate: Text;
  cost: string;
  judges?: string;
}

/** Past runs in the given order (newest first), and the pass rates of each scenario over them. `now` in milliseconds. */
export function renderHistory(runs: readonly RunListing[], look: Look & { now: number }): string {
  if (runs.length === 0) return 'No run is stored yet: salvo run FILE does one.\n';
  const idWidth = shortIdWidth(runs.map(({ run_id }) => run_id));
  const dim = (text = ''): Text => ({ text, tone: 'dim' });
  const list = table(
    runs.flatMap((run) => runRows(run, { now: look.now, idWidth })),
    [
      { header: '', priority: 9, cell: ({ symbol }) => symbol },
      { header: 'Run', priority: 10, cell: ({ run: text = '' }) => ({ text, tone: 'bold' }) },
      { header: 'When', priority: 7, cell: ({ when = '' }) => when },
      { header: 'Date', priority: 2, cell: ({ date }) => dim(date) },
      { header: 'Verdict', priority: 6, cell: ({ verdict }) => verdict },
      { header: 'Scenarios', priority: 3, min: 14, cell: ({ scenarios }) => scenarios },
      figure('Passed', 5, ({ passed }) => passed),
      figure('Rate', 8, ({ rate }) => rate),
      figure('Cost', 4, ({ cost }) => dim(cost)),
      figure('Judges', 3.5, ({ judges }) => dim(judges)),
    ],
  );
  return toTerminal((width) => [list, scenarioTrends(runs, width), flakyList(flakyCases(runs))], look);
}

/** A row for the run. If it compared models, one for each of them below, as their results are not added up. */
function runRows(run: RunListing, { now, idWidth }: { now: number; idWidth: number }): Row[] {
  const summaries = run.scenarios.flatMap(({ summary }) => (summary ? [summary] : []));
  const { cost, judgeCost } = runTotals(summaries);
  const row = {
    ...resultCells(summaries, run.verdict),
    run: safeLine(run.run_id).slice(0, idWidth),
    when: relativeTime(run.created_at, now),
    date: shortDate(run.created_at),
    scenarios: scenarioNames(run),
    cost: summaries.length === 0 ? MISSING : formatAmount(cost),
    judges: judgeCost.usd === 0 ? '' : formatAmount(judgeCost),
    ...(run.verdict === null && { verdict: { text: run.status, tone: 'dim' as const } }),
  };
  if (!isMatrix(run.scenarios)) return [row];
  const models = [...byCandidate(run.scenarios)].flatMap(([label, entries]): Row[] => {
    const own = entries.flatMap(({ summary }) => (summary && summary.verdict !== 'SKIPPED' ? [summary] : []));
    if (own.length === 0) return [];
    const { verdict } = runVerdict(own.map((summary) => summary.verdict));
    const scenarios = safeLine(`with ${label}`, 50);
    return [{ ...resultCells(own, verdict), scenarios, cost: formatAmount(runTotals(own).cost) }];
  });
  return [{ ...row, passed: '', rate: '' }, ...models];
}

function resultCells(summaries: readonly ScenarioSummary[], verdict: Verdict | null) {
  const { scored, passed } = runTotals(summaries);
  const tone = verdict === null ? 'dim' : verdictTone(verdict);
  return {
    symbol: verdict === null ? { text: '◌', tone } : verdictSign(verdict),
    verdict: { text: verdict === null ? '' : verdict.replace('_', ' '), tone },
    passed: scored === 0 ? MISSING : `${passed}/${scored}`,
    rate: { text: scored === 0 ? MISSING : formatPercent(passed / scored), tone },
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

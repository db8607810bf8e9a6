import { costOfAgents, costOfJudges } from '../../../run/record/run-document.ts';
import type { Cost } from '../../../stats/cost.ts';
import { formatAmount, formatLatency, formatPercent, formatScore, MISSING } from '../../../stats/format.ts';
import { safeLine } from '../../../text/output/safe-text.ts';
import type { Style } from '../../terminal/style.ts';
import { type Cell, type Column, renderTable, type Table } from '../../terminal/table.ts';
import { wrap } from '../../terminal/wrap.ts';
import { isJudged, type ReportedScenario } from '../run-report.ts';
import { verdictSymbol, verdictTone } from '../verdict.ts';
import { intervalText } from '../words/run-notes.ts';
import { scenarioTitles } from '../words/scenario-handles.ts';
import { trialStrip } from './trial-strip.ts';

type Key = 'symbol' | 'name' | 'trials' | 'passed' | 'rate' | 'interval' | 'score' | 'cost' | 'judge' | 'latency';

const COLUMNS: readonly Column<Key>[] = [
  { key: 'symbol', header: '', priority: 9 },
  { key: 'name', header: 'Scenario', priority: 10 },
  { key: 'trials', header: 'Trials', priority: 1 },
  { key: 'passed', header: 'Passed', align: 'right', priority: 8 },
  { key: 'rate', header: 'Rate', align: 'right', priority: 7 },
  { key: 'interval', header: '95% CI', align: 'right', priority: 6 },
  { key: 'score', header: 'Score (min)', align: 'right', priority: 4 },
  { key: 'cost', header: 'Cost', align: 'right', priority: 5 },
  { key: 'judge', header: 'Judges', align: 'right', priority: 4.5 },
  { key: 'latency', header: 'p50/p95', align: 'right', priority: 3 },
];
const STRIP_WIDTH = 24;
/** The verdict, how many passed, and the rate with its interval. */
const ROOM_BESIDE_NAME = 32;
const WIDEST_NAME = 32;
/** All other columns, with a name of usual length. */
const ROOM_BESIDE_STRIP = 110;

/** One row per scenario. A narrow terminal shows fewer columns. */
export function renderScenarioTable(options: {
  scenarios: readonly ReportedScenario[];
  width: number;
  style: Style;
  /** False: without what only explains other numbers. */
  full: boolean;
}): Table<Key> {
  const { scenarios, width, style, full } = options;
  const names = scenarioTitles(scenarios);
  const nameWidth = Math.max(12, Math.min(Math.max(WIDEST_NAME, width - 120), width - ROOM_BESIDE_NAME));
  // If no cost is known, the line of totals says so once.
  const hasCosts = scenarios.some(({ cost_total_usd }) => cost_total_usd !== null);
  const hasScores = full || scenarios.some(({ threshold, min_score }) => threshold !== null || min_score !== null);
  return renderTable({
    columns: hasScores ? COLUMNS : COLUMNS.filter(({ key }) => key !== 'score'),
    // A name is never cut. A long one goes on in rows of its own.
    rows: scenarios.flatMap((scenario, index) => {
      const [first = '', ...more] = wrap(safeLine(names[index] ?? scenario.name), nameWidth);
      return [
        row(scenario, first, { width, style, full, hasCosts }),
        ...more.map((text) => ({ name: { text, paint: style.bold } })),
      ];
    }),
    width,
    style,
  });
}

function row(
  scenario: ReportedScenario,
  label: string,
  { width, style, full, hasCosts }: { width: number; style: Style; full: boolean; hasCosts: boolean },
): Record<Key, Cell> {
  const paint = style[verdictTone(scenario.verdict)];
  const { statuses = [], trials_planned: planned } = scenario;
  return {
    symbol: { text: verdictSymbol(scenario.verdict), paint },
    name: { text: label, paint: style.bold },
    trials:
      statuses.length === 0
        ? { text: '' }
        : trialStrip({ statuses, planned, width: Math.max(STRIP_WIDTH, width - ROOM_BESIDE_STRIP), style }),
    passed: { text: scenario.trials_scored === 0 ? MISSING : `${scenario.trials_passed}/${scenario.trials_scored}` },
    rate: { text: formatPercent(scenario.pass_rate), paint },
    interval: { text: intervalText(scenario, { full }), paint: style.dim },
    score: { text: score(scenario) },
    cost: hasCosts ? costCell(costOfAgents(scenario), style) : { text: '' },
    // Without any text the column is left out.
    judge: isJudged(scenario) ? costCell(costOfJudges(scenario), style) : { text: '' },
    latency: { text: formatLatency(scenario.trials_scored, [scenario.latency_p50, scenario.latency_p95]) },
  };
}

function score({ score_avg, score_min }: ReportedScenario): string {
  if (score_avg === null) return MISSING;
  return `${formatScore(score_avg)} (${formatScore(score_min)})`;
}

/** The line of totals says what is missing. */
function costCell(cost: Cost, style: Style): Cell {
  return { text: formatAmount(cost), ...(cost.usd === null && { paint: style.dim }) };
}

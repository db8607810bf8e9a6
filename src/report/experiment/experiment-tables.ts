import type {
  BlueComparison,
  ExperimentResults,
  GameMetrics,
  RateEstimate,
} from '../../arena/experiment/results/experiment-results.ts';
import { formatCount, formatInterval, formatPercent, signedTwoDigits, twoDigits } from '../terminal/format.ts';
import type { Canvas } from '../terminal/look.ts';
import type { Style } from '../terminal/style.ts';
import { type Cell, type Column, renderTable } from '../terminal/table.ts';
import { teamLabels } from './team-labels.ts';

const MOST_ROWS = 40;

type MetricsKey = 'name' | 'games' | 'recall' | 'interval' | 'precision' | 'f1' | 'f1Interval' | 'fpr' | 'youden';

/** From this width on, whole names of cells fit. */
const USUAL_WIDTH = 80;

const METRICS_COLUMNS: readonly Column<MetricsKey>[] = [
  { key: 'games', header: 'Games', align: 'right', priority: 2 },
  { key: 'recall', header: 'Recall', align: 'right', priority: 8 },
  { key: 'interval', header: '95% CI', align: 'right', priority: 6 },
  { key: 'precision', header: 'Precision', align: 'right', priority: 5 },
  { key: 'f1', header: 'Mean F1', align: 'right', priority: 7 },
  { key: 'f1Interval', header: '95% CI', align: 'right', priority: 1 },
  { key: 'fpr', header: 'Clean flagged', align: 'right', priority: 3 },
  { key: 'youden', header: 'J', align: 'right', priority: 4 },
];

/** A line for each Blue, for each dimension by itself, and for every cell of the matrix: the first so many. */
export function renderMetrics(results: ExperimentResults, canvas: Canvas): string[] {
  const { blues, overall } = results;
  const names = metricsRowNames(results, canvas.width >= USUAL_WIDTH ? 18 : 12);
  const details = detailedMetrics(results, names);
  const rows = [
    ...blues.map((metrics) => metricsRow(names.team(metrics.blue), metrics, canvas.style.bold)),
    ...(blues.length > 1 ? [metricsRow('all Blues', overall, canvas.style.dim)] : []),
    ...details.slice(0, MOST_ROWS).map(({ name, metrics }) => metricsRow(name, metrics)),
  ];
  const nameColumn: Column<MetricsKey> = {
    key: 'name',
    header: '',
    priority: 9,
    min: canvas.width >= USUAL_WIDTH ? 42 : 22,
  };
  const columns = [nameColumn, ...METRICS_COLUMNS];
  const { lines } = renderTable({ columns, rows, ...canvas });
  const more = details.length - MOST_ROWS;
  return more > 0 ? [...lines, canvas.style.dim(`and ${formatCount(more)} more; --json lists all`)] : lines;
}

interface MetricsRowNames {
  team: (name: string) => string;
  cell: (cell: ExperimentResults['cells'][number]) => string;
  dimension: (metrics: ExperimentResults['dimensions'][number]) => string;
}

/** Names of rows in a table of metrics: only what differs, with teams in at most so many columns. */
export function metricsRowNames({ experiment: { plan } }: ExperimentResults, teamWidth: number): MetricsRowNames {
  const team = teamLabels([...plan.blue, ...plan.red], teamWidth);
  return {
    team,
    cell: (cell) => cellName(cell, plan, team),
    dimension: ({ dimension, value, blue }) =>
      [plan.blue.length > 1 ? team(blue) : '', dimension === 'red' ? team(value) : value]
        .filter((part) => part !== '')
        .join(' · '),
  };
}

/**
 * The rows below the Blues: dimensions when several vary (otherwise cells say the same), then cells when there are more
 * of them than Blues.
 */
export function detailedMetrics(
  { blues, dimensions, cells }: ExperimentResults,
  names: MetricsRowNames,
): { name: string; metrics: GameMetrics }[] {
  const varied = new Set(dimensions.map(({ dimension }) => dimension)).size;
  return [
    ...(varied > 1 ? dimensions.map((metrics) => ({ name: names.dimension(metrics), metrics })) : []),
    ...(cells.length > blues.length ? cells.map((cell) => ({ name: names.cell(cell), metrics: cell })) : []),
  ];
}

function cellName(
  cell: ExperimentResults['cells'][number],
  plan: ExperimentResults['experiment']['plan'],
  team: (name: string) => string,
): string {
  const parts = [
    plan.red.length > 1 ? team(cell.red) : '',
    plan.blue.length > 1 ? team(cell.blue) : '',
    plan.difficulty.length > 1 ? cell.difficulty : '',
    plan.language.length > 1 ? cell.language : '',
    plan.strategy.length > 1 ? cell.strategy : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? team(cell.blue) : parts.join(' · ');
}

function metricsRow(name: string, metrics: GameMetrics, paint?: (text: string) => string): Record<MetricsKey, Cell> {
  const { pooled, average } = metrics;
  return {
    name: { text: name, ...(paint ? { paint } : {}) },
    games: { text: formatCount(metrics.games) },
    recall: { text: formatPercent(pooled.recall.value) },
    interval: { text: formatInterval(pooled.recall.interval) },
    precision: { text: formatPercent(pooled.precision.value) },
    f1: { text: twoDigits(average.f1.value) },
    f1Interval: { text: numberInterval(average.f1) },
    fpr: { text: formatPercent(metrics.false_positive_rate.value) },
    youden: { text: twoDigits(metrics.youden_j.value) },
  };
}

type PairKey =
  | 'pair'
  | 'games'
  | 'only'
  | 'difference'
  | 'interval'
  | 'odds'
  | 'mcnemar'
  | 'f1'
  | 'effect'
  | 'permutation';

const PAIR_COLUMNS: readonly Column<PairKey>[] = [
  { key: 'games', header: 'Games', align: 'right', priority: 2 },
  { key: 'only', header: 'Only one found', align: 'right', priority: 6 },
  { key: 'difference', header: 'Recall +/-', align: 'right', priority: 9 },
  { key: 'interval', header: '95% CI', align: 'right', priority: 4 },
  { key: 'odds', header: 'Odds', align: 'right', priority: 1 },
  { key: 'mcnemar', header: 'p', align: 'right', priority: 8 },
  { key: 'f1', header: 'F1 +/-', align: 'right', priority: 5 },
  { key: 'effect', header: 'd', align: 'right', priority: 3 },
  { key: 'permutation', header: 'p (F1)', align: 'right', priority: 7 },
];

/** Blues in pairs, on the same code. */
export function renderComparisons({ comparisons, experiment }: ExperimentResults, canvas: Canvas): string[] {
  const teamWidth = canvas.width >= USUAL_WIDTH ? 16 : 9;
  const team = teamLabels(experiment.plan.blue, teamWidth);
  const rows = comparisons.slice(0, MOST_ROWS).map((comparison) => pairRow(comparison, team, canvas.style));
  const pairColumn: Column<PairKey> = { key: 'pair', header: 'Compared', priority: 10, min: 2 * teamWidth + 3 };
  const columns = [pairColumn, ...PAIR_COLUMNS];
  const { lines } = renderTable({ columns, rows, ...canvas });
  const more = comparisons.length - MOST_ROWS;
  return more > 0 ? [...lines, canvas.style.dim(`and ${formatCount(more)} more pairs; --json lists all`)] : lines;
}

function pairRow(comparison: BlueComparison, team: (name: string) => string, style: Style): Record<PairKey, Cell> {
  const { first, second, only_first, only_second, risk_difference: difference } = comparison;
  const isClear = comparison.mcnemar_p_holm < 0.05;
  return {
    pair: { text: `${team(first)} – ${team(second)}`, ...(isClear ? { paint: style.bold } : {}) },
    games: { text: formatCount(comparison.games) },
    only: { text: `${formatCount(only_first)} : ${formatCount(only_second)}` },
    difference: { text: points(difference.value) },
    interval: {
      text: difference.interval ? `${points(difference.interval[0])} to ${points(difference.interval[1])}` : '-',
    },
    odds: { text: twoDigits(comparison.odds_ratio) },
    mcnemar: { text: pValue(comparison.mcnemar_p_holm) },
    f1: { text: signedTwoDigits(comparison.f1_difference.value) },
    effect: { text: twoDigits(comparison.f1_effect_size) },
    permutation: { text: pValue(comparison.permutation_p_holm) },
  };
}

/** A difference of shares, in percentage points. */
function points(value: number | null): string {
  if (value === null) return '-';
  const text = (value * 100).toFixed(0);
  return text === '-0' || text === '0' ? '0' : value > 0 ? `+${text}` : text;
}

export function pValue(p: number | null): string {
  if (p === null || !Number.isFinite(p)) return '-';
  return p < 0.001 ? '<0.001' : p.toFixed(3);
}

export function numberInterval({ interval }: RateEstimate): string {
  return interval === null ? '-' : `${twoDigits(interval[0])} to ${twoDigits(interval[1])}`;
}

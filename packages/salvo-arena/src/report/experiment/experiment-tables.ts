import { type Canvas, type Cell, type Column, renderTable, type Style } from 'salvo/kit/report';
import {
  formatCount,
  formatInterval,
  formatP,
  formatPercent,
  formatPoints,
  formatPointsInterval,
  signedTwoDigits,
  twoDigits,
  twoDigitsInterval,
} from 'salvo/kit/stats';
import type {
  BlueComparison,
  ExperimentResults,
  GameMetrics,
  PrecisionUsed,
  RateEstimate,
} from '../../experiment/results/experiment-results.ts';
import { teamLabels } from './team-labels.ts';

const MOST_ROWS = 40;

type MetricsKey =
  | 'name'
  | 'games'
  | 'recall'
  | 'interval'
  | 'twinPrecision'
  | 'precision'
  | 'f1'
  | 'f1Interval'
  | 'fpr'
  | 'youden';

/** From this width on, whole names of cells fit. */
const USUAL_WIDTH = 80;

/** If a Blue looked at the clean twin, both precisions have a column. F1 is by the twin if all Blues did. */
function metricsColumns({ blues, precision_used }: ExperimentResults): Column<MetricsKey>[] {
  const hasTwin = blues.some(({ by_twin }) => by_twin !== null);
  const twin: Column<MetricsKey> = { key: 'twinPrecision', header: 'Prec. by twin', align: 'right', priority: 6 };
  return [
    { key: 'games', header: 'Games', align: 'right', priority: 2 },
    { key: 'recall', header: 'Recall', align: 'right', priority: 9 },
    { key: 'interval', header: '95% CI', align: 'right', priority: 7 },
    ...(hasTwin ? [twin] : []),
    { key: 'precision', header: hasTwin ? 'Classic' : 'Precision', align: 'right', priority: 5 },
    { key: 'f1', header: precision_used === 'twin' ? 'F1 by twin' : 'Mean F1', align: 'right', priority: 8 },
    { key: 'f1Interval', header: '95% CI', align: 'right', priority: 1 },
    { key: 'fpr', header: 'Clean flagged', align: 'right', priority: 3 },
    { key: 'youden', header: 'J', align: 'right', priority: 4 },
  ];
}

/** A line for each Blue, for each dimension by itself, and for every cell of the matrix: the first so many. */
export function renderMetrics(results: ExperimentResults, canvas: Canvas): string[] {
  const { blues, overall } = results;
  const names = metricsRowNames(results, canvas.width >= USUAL_WIDTH ? 18 : 12);
  const details = detailedMetrics(results, names);
  const used = results.precision_used;
  const rows = [
    ...blues.map((metrics) => metricsRow(names.team(metrics.blue), metrics, used, canvas.style.bold)),
    ...(blues.length > 1 ? [metricsRow('all Blues', overall, used, canvas.style.dim)] : []),
    ...details.slice(0, MOST_ROWS).map(({ name, metrics }) => metricsRow(name, metrics, used)),
  ];
  const nameColumn: Column<MetricsKey> = {
    key: 'name',
    header: '',
    priority: 9,
    min: canvas.width >= USUAL_WIDTH ? 42 : 22,
  };
  const columns = [nameColumn, ...metricsColumns(results)];
  const { lines } = renderTable({ columns, rows, ...canvas });
  const more = details.length - MOST_ROWS;
  return more > 0 ? [...lines, canvas.style.dim(`and ${formatCount(more)} more; JSON lists all`)] : lines;
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

function metricsRow(
  name: string,
  metrics: GameMetrics,
  used: PrecisionUsed,
  paint?: (text: string) => string,
): Record<MetricsKey, Cell> {
  const { pooled, by_twin } = metrics;
  const f1 = usedF1(metrics, used);
  return {
    name: { text: name, ...(paint ? { paint } : {}) },
    games: { text: formatCount(metrics.games) },
    recall: { text: formatPercent(pooled.recall.value) },
    interval: { text: formatInterval(pooled.recall.interval) },
    twinPrecision: { text: formatPercent(by_twin?.precision.value ?? null) },
    precision: { text: formatPercent(pooled.precision.value) },
    f1: { text: twoDigits(f1.value) },
    f1Interval: { text: numberInterval(f1) },
    fpr: { text: formatPercent(metrics.false_positive_rate.value) },
    youden: { text: twoDigits(metrics.youden_j.value) },
  };
}

/** The mean F1 by the precision that the experiment uses. */
export function usedF1({ by_twin, average }: GameMetrics, used: PrecisionUsed): RateEstimate {
  return used === 'twin' && by_twin ? by_twin.f1 : average.f1;
}

type PairKey =
  | 'pair'
  | 'games'
  | 'only'
  | 'difference'
  | 'interval'
  | 'odds'
  | 'mcnemar'
  | 'precision'
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
  { key: 'precision', header: 'Precision +/-', align: 'right', priority: 5 },
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
  return more > 0 ? [...lines, canvas.style.dim(`and ${formatCount(more)} more pairs; JSON lists all`)] : lines;
}

function pairRow(comparison: BlueComparison, team: (name: string) => string, style: Style): Record<PairKey, Cell> {
  const { first, second, only_first, only_second, risk_difference: difference } = comparison;
  const isClear = comparison.mcnemar_p_holm < 0.05;
  const byTwin = comparison.precision_used === 'twin' ? '' : '*';
  return {
    pair: { text: `${team(first)} – ${team(second)}`, ...(isClear ? { paint: style.bold } : {}) },
    games: { text: formatCount(comparison.games) },
    only: { text: `${formatCount(only_first)} : ${formatCount(only_second)}` },
    difference: { text: formatPoints(difference.value) },
    interval: {
      text: formatPointsInterval(difference.interval),
    },
    odds: { text: twoDigits(comparison.odds_ratio) },
    mcnemar: { text: formatP(comparison.mcnemar_p_holm) },
    precision: { text: `${formatPoints(comparison.precision_difference.value)}${byTwin}` },
    f1: { text: `${signedTwoDigits(comparison.f1_difference.value)}${byTwin}` },
    effect: { text: twoDigits(comparison.f1_effect_size) },
    permutation: { text: formatP(comparison.permutation_p_holm) },
  };
}

export function numberInterval({ interval }: RateEstimate): string {
  return twoDigitsInterval(interval);
}

import type { BlueComparison } from '../arena/experiment/compare-blues.ts';
import type { ExperimentResults } from '../arena/experiment/experiment-results.ts';
import type { Figures, Rate } from '../arena/experiment/figures.ts';
import { formatCount, formatInterval, formatPercent } from './format.ts';
import { safeLine } from './safe-text.ts';
import type { Style } from './style.ts';
import { type Cell, type Column, renderTable } from './table.ts';

const MOST_ROWS = 40;

interface Look {
  width: number;
  style: Style;
}

type FigureKey = 'name' | 'games' | 'recall' | 'interval' | 'precision' | 'f1' | 'f1Interval' | 'fpr' | 'youden';

const FIGURE_COLUMNS: readonly Column<FigureKey>[] = [
  { key: 'name', header: '', priority: 9, min: 22 },
  { key: 'games', header: 'Games', align: 'right', priority: 2 },
  { key: 'recall', header: 'Recall', align: 'right', priority: 8 },
  { key: 'interval', header: '95% CI', align: 'right', priority: 6 },
  { key: 'precision', header: 'Precision', align: 'right', priority: 5 },
  { key: 'f1', header: 'Mean F1', align: 'right', priority: 7 },
  { key: 'f1Interval', header: '95% CI', align: 'right', priority: 1 },
  { key: 'fpr', header: 'Clean flagged', align: 'right', priority: 3 },
  { key: 'youden', header: 'J', align: 'right', priority: 4 },
];

/** A line for each Blue, and for every cell of the matrix when there are few enough to read. */
export function renderFigures(results: ExperimentResults, look: Look): string[] {
  const { blues, cells, overall } = results;
  const rows = [
    ...blues.map((figures) => figureRow(safeLine(figures.blue, 40), figures, look.style.bold)),
    ...(blues.length > 1 ? [figureRow('all Blues', overall, look.style.dim)] : []),
    ...(cells.length > blues.length
      ? cells.slice(0, MOST_ROWS).map((cell) => figureRow(safeLine(cellName(cell, results), 60), cell))
      : []),
  ];
  const { lines } = renderTable({ columns: FIGURE_COLUMNS, rows, width: look.width, paintHeader: look.style.dim });
  const more = cells.length - MOST_ROWS;
  return more > 0 ? [...lines, look.style.dim(`and ${formatCount(more)} more cells; --json lists all`)] : lines;
}

/** Only what differs between the cells. */
export function cellName(cell: ExperimentResults['cells'][number], { experiment }: ExperimentResults): string {
  const { plan } = experiment;
  const parts = [
    plan.red.length > 1 ? cell.red : '',
    plan.blue.length > 1 ? cell.blue : '',
    plan.difficulty.length > 1 ? cell.difficulty : '',
    plan.language.length > 1 ? cell.language : '',
    plan.strategy.length > 1 ? cell.strategy : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? cell.blue : parts.join(' · ');
}

function figureRow(name: string, figures: Figures, paint?: (text: string) => string): Record<FigureKey, Cell> {
  const { pooled, average } = figures;
  return {
    name: { text: name, ...(paint ? { paint } : {}) },
    games: { text: formatCount(figures.games) },
    recall: { text: formatPercent(pooled.recall.value) },
    interval: { text: formatInterval(pooled.recall.interval) },
    precision: { text: formatPercent(pooled.precision.value) },
    f1: { text: twoDigits(average.f1.value) },
    f1Interval: { text: numberInterval(average.f1) },
    fpr: { text: formatPercent(figures.false_positive_rate.value) },
    youden: { text: twoDigits(figures.youden_j.value) },
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
  { key: 'pair', header: 'Compared', priority: 10, min: 14 },
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
export function renderComparisons({ comparisons }: ExperimentResults, look: Look): string[] {
  const rows = comparisons.slice(0, MOST_ROWS).map((comparison) => pairRow(comparison, look.style));
  return renderTable({ columns: PAIR_COLUMNS, rows, width: look.width, paintHeader: look.style.dim }).lines;
}

function pairRow(comparison: BlueComparison, style: Style): Record<PairKey, Cell> {
  const { first, second, only_first, only_second, risk_difference: difference } = comparison;
  const isClear = comparison.mcnemar_p_holm < 0.05;
  return {
    pair: { text: safeLine(`${first} – ${second}`, 60), ...(isClear ? { paint: style.bold } : {}) },
    games: { text: formatCount(comparison.games) },
    only: { text: `${formatCount(only_first)} : ${formatCount(only_second)}` },
    difference: { text: points(difference.value) },
    interval: {
      text: difference.interval ? `${points(difference.interval[0])} to ${points(difference.interval[1])}` : '-',
    },
    odds: { text: twoDigits(comparison.odds_ratio) },
    mcnemar: { text: pValue(comparison.mcnemar_p_holm) },
    f1: { text: signed(comparison.f1_difference.value) },
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

export function twoDigits(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '-';
  const text = value.toFixed(2);
  return text === '-0.00' ? '0.00' : text;
}

function signed(value: number | null): string {
  const text = twoDigits(value);
  return value !== null && value > 0 && text !== '0.00' ? `+${text}` : text;
}

export function numberInterval({ interval }: Rate): string {
  return interval === null ? '-' : `${twoDigits(interval[0])} to ${twoDigits(interval[1])}`;
}

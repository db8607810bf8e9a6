import type {
  BlueComparison,
  ExperimentResults,
  GameMetrics,
  RateEstimate,
} from '../../arena/experiment/results/experiment-results.ts';
import { teamLabels } from '../game/team-labels.ts';
import { formatCount, formatInterval, formatPercent } from '../terminal/format.ts';
import type { Style } from '../terminal/style.ts';
import { type Cell, type Column, renderTable } from '../terminal/table.ts';

const MOST_ROWS = 40;

interface Look {
  width: number;
  style: Style;
}

type FigureKey = 'name' | 'games' | 'recall' | 'interval' | 'precision' | 'f1' | 'f1Interval' | 'fpr' | 'youden';

/** From this on there is room for whole names of cells. */
const USUAL_WIDTH = 80;

const FIGURE_COLUMNS: readonly Column<FigureKey>[] = [
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
export function renderFigures(results: ExperimentResults, look: Look): string[] {
  const { blues, overall } = results;
  const names = figureNames(results, look.width >= USUAL_WIDTH ? 18 : 12);
  const inDetail = detailedFigures(results, names);
  const rows = [
    ...blues.map((figures) => figureRow(names.team(figures.blue), figures, look.style.bold)),
    ...(blues.length > 1 ? [figureRow('all Blues', overall, look.style.dim)] : []),
    ...inDetail.slice(0, MOST_ROWS).map(({ name, figures }) => figureRow(name, figures)),
  ];
  const nameColumn: Column<FigureKey> = {
    key: 'name',
    header: '',
    priority: 9,
    min: look.width >= USUAL_WIDTH ? 42 : 22,
  };
  const columns = [nameColumn, ...FIGURE_COLUMNS];
  const { lines } = renderTable({ columns, rows, width: look.width, paintHeader: look.style.dim });
  const more = inDetail.length - MOST_ROWS;
  return more > 0 ? [...lines, look.style.dim(`and ${formatCount(more)} more; --json lists all`)] : lines;
}

interface FigureNames {
  team: (name: string) => string;
  cell: (cell: ExperimentResults['cells'][number]) => string;
  dimension: (figures: ExperimentResults['dimensions'][number]) => string;
}

/** Names of lines in a table of figures: only what differs, with teams in at most so many columns. */
export function figureNames({ experiment: { plan } }: ExperimentResults, teamWidth: number): FigureNames {
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

/** What there is below the Blues themselves. Where one dimension varies its cells say the same; where none does, there are no others. */
export function detailedFigures(
  { blues, dimensions, cells }: ExperimentResults,
  names: FigureNames,
): { name: string; figures: GameMetrics }[] {
  const varied = new Set(dimensions.map(({ dimension }) => dimension)).size;
  return [
    ...(varied > 1 ? dimensions.map((figures) => ({ name: names.dimension(figures), figures })) : []),
    ...(cells.length > blues.length ? cells.map((cell) => ({ name: names.cell(cell), figures: cell })) : []),
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

function figureRow(name: string, figures: GameMetrics, paint?: (text: string) => string): Record<FigureKey, Cell> {
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
export function renderComparisons({ comparisons, experiment }: ExperimentResults, look: Look): string[] {
  const teamWidth = look.width >= USUAL_WIDTH ? 16 : 9;
  const team = teamLabels(experiment.plan.blue, teamWidth);
  const rows = comparisons.slice(0, MOST_ROWS).map((comparison) => pairRow(comparison, team, look.style));
  const pairColumn: Column<PairKey> = { key: 'pair', header: 'Compared', priority: 10, min: 2 * teamWidth + 3 };
  const columns = [pairColumn, ...PAIR_COLUMNS];
  const { lines } = renderTable({ columns, rows, width: look.width, paintHeader: look.style.dim });
  const more = comparisons.length - MOST_ROWS;
  return more > 0 ? [...lines, look.style.dim(`and ${formatCount(more)} more pairs; --json lists all`)] : lines;
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

export function numberInterval({ interval }: RateEstimate): string {
  return interval === null ? '-' : `${twoDigits(interval[0])} to ${twoDigits(interval[1])}`;
}

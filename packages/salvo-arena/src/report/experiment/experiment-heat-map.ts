import { type Canvas, type Cell, type Column, renderTable, type Style, sparkline } from 'salvo/kit/report';
import { formatPercent } from 'salvo/kit/stats';
import { displayWidth } from 'salvo/kit/text';
import type { ExperimentResults, GroupRecall } from '../../experiment/results/experiment-results.ts';
import { teamLabels } from './team-labels.ts';

const MOST_ROWS = 20;
const ROW_NAME_WIDTH = 24;
const BLUE_NAME_WIDTH = 24;
const GAP = 2;

/** Each Red against each Blue: the recall, with a bar as high as it. */
export function renderHeatMap({ pairings, experiment }: ExperimentResults, canvas: Canvas): string[] {
  if (pairings.length < 2) return [];
  const { red, blue } = experiment.plan;
  return recallMatrix({
    corner: 'Recall',
    rows: red,
    blues: blue,
    canvas,
    recallAt(row, column) {
      const metrics = pairings.find((pairing) => pairing.red === row && pairing.blue === column);
      return { value: metrics?.pooled.recall.value ?? null, note: '' };
    },
  });
}

/** Categories or techniques against Blues; the most frequent ones. */
export function renderRecalls(
  corner: string,
  recalls: readonly GroupRecall[],
  { experiment }: ExperimentResults,
  canvas: Canvas,
): string[] {
  const groups = [...new Set(recalls.map(({ group }) => group))];
  const known = new Map(recalls.map((recall) => [JSON.stringify([recall.group, recall.blue]), recall]));
  const lines = recallMatrix({
    corner,
    rows: groups.slice(0, MOST_ROWS),
    blues: experiment.plan.blue,
    canvas,
    recallAt(group, blue) {
      const found = known.get(JSON.stringify([group, blue]));
      return { value: found?.recall.value ?? null, note: found ? ` of ${found.vulnerabilities}` : '' };
    },
  });
  const more = groups.length - MOST_ROWS;
  return more > 0 ? [...lines, canvas.style.dim(`and ${more} more; JSON lists all`)] : lines;
}

function recallMatrix(matrix: {
  corner: string;
  rows: readonly string[];
  blues: readonly string[];
  canvas: Canvas;
  recallAt: (row: string, blue: string) => { value: number | null; note: string };
}): string[] {
  const { corner, rows, blues, canvas, recallAt } = matrix;
  if (rows.length === 0) return [];
  const rowLabel = teamLabels(rows, Math.min(ROW_NAME_WIDTH, Math.floor(canvas.width / 3)));
  const cellsOf = (blue: string) =>
    rows.map((row): Cell => {
      const { value, note } = recallAt(row, blue);
      return { text: `${sparkline([value])} ${formatPercent(value)}${note}`, paint: heat(value, canvas.style) };
    });
  const columns = blues.map((blue) => ({ blue, cells: cellsOf(blue) }));
  const nameWidth = widest([corner, ...rows.map(rowLabel)]);
  const cellWidth = widest(columns.flatMap(({ cells }) => cells.map(({ text }) => text)));
  const together = Math.max(1, Math.min(blues.length, Math.floor((canvas.width - nameWidth) / (cellWidth + GAP))));
  const room = Math.floor((canvas.width - nameWidth) / together) - GAP;
  const blueLabel = teamLabels(blues, Math.max(cellWidth, Math.min(BLUE_NAME_WIDTH, room)));
  // Blues that do not fit beside the others are in a second matrix below: none is left out.
  return Array.from({ length: Math.ceil(blues.length / together) }, (_, block) => {
    const blockColumns = columns.slice(block * together, (block + 1) * together);
    return [...(block === 0 ? [] : ['']), ...matrixLines(blockColumns)];
  }).flat();

  function matrixLines(blockColumns: typeof columns): string[] {
    const tableColumns: Column<string>[] = [
      { key: 'name', header: corner, priority: 1 },
      ...blockColumns.map(({ blue }, index) => ({
        key: `${index}`,
        header: blueLabel(blue),
        align: 'right' as const,
        priority: 0,
      })),
    ];
    const tableRows = rows.map((row, line) => {
      const entries = blockColumns.map(({ cells }, index): [string, Cell] => [`${index}`, cells[line] ?? { text: '' }]);
      return Object.fromEntries<Cell>([['name', { text: rowLabel(row) }], ...entries]);
    });
    const { lines } = renderTable({
      columns: tableColumns,
      rows: tableRows,
      ...canvas,
    });
    return lines;
  }
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, displayWidth(text)), 0);
}

function heat(value: number | null, style: Style): (text: string) => string {
  if (value === null) return style.dim;
  if (value >= 2 / 3) return style.green;
  return value >= 1 / 3 ? style.yellow : style.red;
}

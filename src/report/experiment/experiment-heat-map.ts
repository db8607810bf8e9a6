import type { ExperimentResults, GroupRecall } from '../../arena/experiment/results/experiment-results.ts';
import { displayWidth } from '../../text/safe-text.ts';
import { teamLabels } from '../game/team-labels.ts';
import { sparkline } from '../terminal/bar.ts';
import { formatPercent } from '../terminal/format.ts';
import type { Style } from '../terminal/style.ts';
import { type Cell, type Column, renderTable } from '../terminal/table.ts';

const MOST_ROWS = 20;
const ROW_NAME_WIDTH = 24;
const BLUE_NAME_WIDTH = 24;
const GAP = 2;

interface Look {
  width: number;
  style: Style;
}

/** Each Red against each Blue: how much was found, with a sign as high as the share. */
export function renderHeatMap({ pairings, experiment }: ExperimentResults, look: Look): string[] {
  if (pairings.length < 2) return [];
  const { red, blue } = experiment.plan;
  return shareMatrix({
    corner: 'Recall',
    rows: red,
    blues: blue,
    look,
    shareOf(row, column) {
      const figures = pairings.find((pairing) => pairing.red === row && pairing.blue === column);
      return { value: figures?.pooled.recall.value ?? null, note: '' };
    },
  });
}

/** Categories or techniques against Blues; the most frequent ones. */
export function renderShares(
  corner: string,
  shares: readonly GroupRecall[],
  { experiment }: ExperimentResults,
  look: Look,
): string[] {
  const groups = [...new Set(shares.map(({ group }) => group))];
  const known = new Map(shares.map((share) => [JSON.stringify([share.group, share.blue]), share]));
  const lines = shareMatrix({
    corner,
    rows: groups.slice(0, MOST_ROWS),
    blues: experiment.plan.blue,
    look,
    shareOf(group, blue) {
      const share = known.get(JSON.stringify([group, blue]));
      return { value: share?.recall.value ?? null, note: share ? ` of ${share.vulnerabilities}` : '' };
    },
  });
  const more = groups.length - MOST_ROWS;
  return more > 0 ? [...lines, look.style.dim(`and ${more} more; --json lists all`)] : lines;
}

function shareMatrix(matrix: {
  corner: string;
  rows: readonly string[];
  blues: readonly string[];
  look: Look;
  shareOf: (row: string, blue: string) => { value: number | null; note: string };
}): string[] {
  const { corner, rows, blues, look, shareOf } = matrix;
  if (rows.length === 0) return [];
  const rowLabel = teamLabels(rows, Math.min(ROW_NAME_WIDTH, Math.floor(look.width / 3)));
  const cellsOf = (blue: string) =>
    rows.map((row): Cell => {
      const { value, note } = shareOf(row, blue);
      return { text: `${sparkline([value])} ${formatPercent(value)}${note}`, paint: heat(value, look.style) };
    });
  const columns = blues.map((blue) => ({ blue, cells: cellsOf(blue) }));
  const nameWidth = widest([corner, ...rows.map(rowLabel)]);
  const cellWidth = widest(columns.flatMap(({ cells }) => cells.map(({ text }) => text)));
  const together = Math.max(1, Math.min(blues.length, Math.floor((look.width - nameWidth) / (cellWidth + GAP))));
  const room = Math.floor((look.width - nameWidth) / together) - GAP;
  const blueLabel = teamLabels(blues, Math.max(cellWidth, Math.min(BLUE_NAME_WIDTH, room)));
  // Blues there is no room for beside the others stand below them: none is left out.
  return Array.from({ length: Math.ceil(blues.length / together) }, (_, block) => {
    const shown = columns.slice(block * together, (block + 1) * together);
    return [...(block === 0 ? [] : ['']), ...matrixLines(shown)];
  }).flat();

  function matrixLines(shown: typeof columns): string[] {
    const tableColumns: Column<string>[] = [
      { key: 'name', header: corner, priority: 1 },
      ...shown.map(({ blue }, index) => ({
        key: `${index}`,
        header: blueLabel(blue),
        align: 'right' as const,
        priority: 0,
      })),
    ];
    const tableRows = rows.map((row, line) => {
      const entries = shown.map(({ cells }, index): [string, Cell] => [`${index}`, cells[line] ?? { text: '' }]);
      return Object.fromEntries<Cell>([['name', { text: rowLabel(row) }], ...entries]);
    });
    const { lines } = renderTable({
      columns: tableColumns,
      rows: tableRows,
      width: look.width,
      paintHeader: look.style.dim,
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

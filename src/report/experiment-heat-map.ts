import type { ExperimentResults, GroupShare } from '../arena/experiment/experiment-results.ts';
import { sparkline } from './bar.ts';
import { formatPercent } from './format.ts';
import { safeLine } from './safe-text.ts';
import type { Style } from './style.ts';
import { type Cell, type Column, renderTable } from './table.ts';

const MOST_ROWS = 20;
const NAME_WIDTH = 24;

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
  shares: readonly GroupShare[],
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
  const columns: Column<string>[] = [
    { key: 'name', header: corner, priority: blues.length + 1, min: 10 },
    ...blues.map((blue, index) => ({
      key: `${index}`,
      header: safeLine(blue, NAME_WIDTH),
      align: 'right' as const,
      priority: blues.length - index,
    })),
  ];
  const cells = rows.map((row) => {
    const entries = blues.map((blue, index): [string, Cell] => {
      const { value, note } = shareOf(row, blue);
      const text = `${sparkline([value])} ${formatPercent(value)}${note}`;
      return [`${index}`, { text, paint: heat(value, look.style) }];
    });
    return Object.fromEntries<Cell>([['name', { text: safeLine(row, 40) }], ...entries]);
  });
  return renderTable({ columns, rows: cells, width: look.width, paintHeader: look.style.dim }).lines;
}

function heat(value: number | null, style: Style): (text: string) => string {
  if (value === null) return style.dim;
  if (value >= 2 / 3) return style.green;
  return value >= 1 / 3 ? style.yellow : style.red;
}

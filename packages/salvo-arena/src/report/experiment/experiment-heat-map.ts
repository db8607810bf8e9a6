import { type Block, figure, sparkline, type Tone, table } from 'salvo/kit/report';
import { formatPercent } from 'salvo/kit/stats';
import { displayWidth } from 'salvo/kit/text';
import type { ExperimentResults, GroupRecall } from '../../experiment/results/experiment-results.ts';
import { teamLabels } from './team-labels.ts';

const MOST_ROWS = 20;
const ROW_NAME_WIDTH = 24;
const BLUE_NAME_WIDTH = 24;
const GAP = 2;

/** Each Red against each Blue: the recall, with a bar as high as it. */
export function heatMap({ pairings, experiment }: ExperimentResults, width: number): Block[] {
  const { red: rows, blue: blues } = experiment.plan;
  return recallMatrix({ corner: 'Recall', rows: pairings.length < 2 ? [] : rows, blues, width }, (red, blue) => {
    const metrics = pairings.find((pairing) => pairing.red === red && pairing.blue === blue);
    return { value: metrics?.pooled.recall.value ?? null, note: '' };
  });
}

/** Categories or techniques against Blues; the most frequent ones. */
export function recallMap(
  corner: string,
  recalls: readonly GroupRecall[],
  { experiment }: ExperimentResults,
  width: number,
): Block[] {
  const rows = [...new Set(recalls.map(({ group }) => group))];
  const known = new Map(recalls.map((recall) => [JSON.stringify([recall.group, recall.blue]), recall]));
  return recallMatrix({ corner, rows, blues: experiment.plan.blue, width }, (group, blue) => {
    const found = known.get(JSON.stringify([group, blue]));
    return { value: found?.recall.value ?? null, note: found ? ` of ${found.vulnerabilities}` : '' };
  });
}

/** Blues that do not fit beside the others are in a second matrix below: none is left out. */
function recallMatrix(
  { corner, rows, blues, width }: { corner: string; rows: readonly string[]; blues: readonly string[]; width: number },
  recallAt: (row: string, blue: string) => { value: number | null; note: string },
): Block[] {
  const shown = rows.slice(0, MOST_ROWS);
  const rowLabel = teamLabels(rows, Math.min(ROW_NAME_WIDTH, Math.floor(width / 3)));
  const cellOf = (row: string, blue: string) => {
    const { value, note } = recallAt(row, blue);
    return { text: `${sparkline([value])} ${formatPercent(value)}${note}`, tone: heat(value) };
  };
  const nameWidth = widest([corner, ...shown.map(rowLabel)]);
  const cellWidth = widest(blues.flatMap((blue) => shown.map((row) => cellOf(row, blue).text)));
  const together = Math.max(1, Math.min(blues.length, Math.floor((width - nameWidth) / (cellWidth + GAP))));
  const room = Math.floor((width - nameWidth) / together) - GAP;
  const blueLabel = teamLabels(blues, Math.max(cellWidth, Math.min(BLUE_NAME_WIDTH, room)));
  return Array.from({ length: Math.ceil(blues.length / together) }, (_, block) =>
    table(
      rows,
      [
        { header: corner, priority: 1, cell: rowLabel },
        ...blues
          .slice(block * together, (block + 1) * together)
          .map((blue) => figure(blueLabel(blue), 0, (row: string) => cellOf(row, blue))),
      ],
      { only: 'terminal', most: MOST_ROWS },
    ),
  );
}

function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, displayWidth(text)), 0);
}

function heat(value: number | null): Tone {
  if (value === null) return 'dim';
  if (value >= 2 / 3) return 'green';
  return value >= 1 / 3 ? 'yellow' : 'red';
}

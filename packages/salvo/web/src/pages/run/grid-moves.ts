import type { CaseRow, GridRow, GridTrial } from './grid-rows.ts';

/** A trial in the grid. */
export interface GridPlace {
  /** The key of its row. */
  row: string;
  number: number;
}

/** The place that a key leads to; null if the key means nothing here, or leads nowhere. */
export function placeAfter(rows: readonly GridRow[], { row, number }: GridPlace, key: string): GridPlace | null {
  const at = rows.findIndex((each) => each.key === row);
  const current = rows[at];
  if (current?.kind !== 'case') return null;
  const opened = openable(current);
  const column = opened.findIndex((trial) => trial.number === number);
  switch (key) {
    case 'ArrowRight':
      return placeIn(current, opened[column + 1]) ?? firstIn(rows.slice(at + 1));
    case 'ArrowLeft':
      return column > 0 ? placeIn(current, opened[column - 1]) : lastIn(rows.slice(0, at));
    case 'Home':
      return placeIn(current, opened[0]);
    case 'End':
      return placeIn(current, opened.at(-1));
    case 'ArrowDown':
      return sameColumn(rows.slice(at + 1).find(isOpenable), column);
    case 'ArrowUp':
      return sameColumn(rows.slice(0, at).findLast(isOpenable), column);
    default:
      return null;
  }
}

/** Where the keyboard enters the grid. */
export function firstIn(rows: readonly GridRow[]): GridPlace | null {
  const row = rows.find(isOpenable);
  return row ? placeIn(row, openable(row)[0]) : null;
}

function lastIn(rows: readonly GridRow[]): GridPlace | null {
  const row = rows.findLast(isOpenable);
  return row ? placeIn(row, openable(row).at(-1)) : null;
}

function sameColumn(row: CaseRow | undefined, column: number): GridPlace | null {
  if (!row) return null;
  const opened = openable(row);
  return placeIn(row, opened[Math.min(column, opened.length - 1)]);
}

/** A trial that has not run has no page. */
function openable({ trials }: CaseRow): GridTrial[] {
  return trials.filter(({ outcome }) => outcome !== null);
}

function isOpenable(row: GridRow): row is CaseRow {
  return row.kind === 'case' && row.trials.some(({ outcome }) => outcome !== null);
}

function placeIn({ key }: CaseRow, trial: GridTrial | undefined): GridPlace | null {
  return trial ? { row: key, number: trial.number } : null;
}

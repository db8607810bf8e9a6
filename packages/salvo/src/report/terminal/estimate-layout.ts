import { type Look, renderFor } from './look.ts';
import type { Style } from './style.ts';
import { type Cell, type Column, renderTable } from './table.ts';
import { joinBlocks, wrap } from './wrap.ts';

/** An estimate, whatever it is of: who would be called how often, the totals, and what the numbers are based on. */
export function renderEstimateLayout<Key extends string>(
  estimate: {
    columns: readonly Column<Key>[];
    rows: (style: Style) => readonly Partial<Record<Key, Cell>>[];
    totals: readonly string[];
    notes: readonly string[];
  },
  look: Look,
): string {
  const { columns, rows, totals, notes } = estimate;
  return renderFor(look, ({ width, style }) =>
    joinBlocks([
      renderTable({ columns, rows: rows(style), width, style }).lines,
      totals.flatMap((line) => wrap(line, width)).map(style.bold),
      [...notes, 'Nothing was called and nothing was stored.'].flatMap((note) => wrap(note, width)).map(style.dim),
    ]),
  );
}

import { displayWidth, shorten } from '../../text/safe-text.ts';
import type { Style } from './style.ts';

export interface Column<K extends string> {
  key: K;
  header: string;
  align?: 'left' | 'right';
  /** On a narrow terminal the column with the lowest priority is left out first. The highest always stays. */
  priority: number;
  /** The width that its cells may be shortened to. Without it the column is shown in full or not at all. */
  min?: number;
}

/** A cell's text is plain and safe. It is painted after it has been measured and cut. */
export interface Cell {
  text: string;
  paint?: (text: string) => string;
}

export interface Table<K extends string> {
  lines: string[];
  /** The columns that fit. */
  shown: K[];
}

const GAP = 2;

/** A table of exactly one line per row, none wider than `width`. A column without any text is left out. */
export function renderTable<K extends string>(options: {
  columns: readonly Column<K>[];
  rows: readonly Partial<Record<K, Cell>>[];
  width: number;
  style: Style;
}): Table<K> {
  const { rows, width } = options;
  const measured = options.columns
    .map((column) => {
      const widest = rows.reduce((most, row) => Math.max(most, displayWidth(row[column.key]?.text ?? '')), 0);
      const natural = Math.max(widest, displayWidth(column.header));
      return { column, empty: widest === 0, width: natural, min: Math.min(natural, column.min ?? natural) };
    })
    .filter(({ empty }) => !empty);

  const gaps = () => GAP * (measured.length - 1);
  const total = (of: 'width' | 'min') => measured.reduce((sum, column) => sum + column[of], gaps());
  while (measured.length > 1 && total('min') > width) {
    const least = measured.reduce((a, b) => (b.column.priority < a.column.priority ? b : a));
    measured.splice(measured.indexOf(least), 1);
  }
  for (const column of measured.toSorted((a, b) => b.width - b.min - (a.width - a.min))) {
    column.width = Math.max(column.min, column.width - Math.max(0, total('width') - width));
  }
  const [only] = measured;
  if (only && measured.length === 1) only.width = Math.min(only.width, Math.max(1, width));

  const line = (cellOf: (column: Column<K>) => Cell) =>
    measured
      .map(({ column, width: room }, index) => {
        const { text, paint } = cellOf(column);
        const cut = shorten(text, room);
        const blanks = ' '.repeat(Math.max(0, room - displayWidth(cut)));
        const painted = paint ? paint(cut) : cut;
        if (column.align === 'right') return blanks + painted;
        return index === measured.length - 1 ? painted : painted + blanks;
      })
      .join(' '.repeat(GAP))
      .trimEnd();

  const header = line((column) => ({ text: column.header, paint: options.style.dim }));
  const body = rows.map((row) => line(({ key }) => row[key] ?? { text: '' }));
  return { lines: measured.length === 0 ? [] : [header, ...body], shown: measured.map(({ column }) => column.key) };
}

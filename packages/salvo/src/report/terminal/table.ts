import { displayWidth, shorten } from '../../text/output/safe-text.ts';
import type { Style } from './look.ts';
import { wrap } from './wrap.ts';

export interface Column<K extends string> {
  key: K;
  header: string;
  align?: 'left' | 'right';
  /** On a narrow terminal the column with the lowest priority is left out first. The highest always stays. */
  priority: number;
  /** The width that its cells may be wrapped to. Without it a column has the width of its widest cell. */
  min?: number;
}

/** A cell's text is plain and safe. It is painted after it has been measured and wrapped. */
export interface Cell {
  text: string;
  paint?: (text: string) => string;
}

export interface Table<K extends string> {
  lines: string[];
  /** The same lines: those of the header, and those of each row. */
  header: string[];
  rows: string[][];
  /** The columns that fit, and the width of each. */
  shown: K[];
  widths: number[];
}

const GAP = 2;

/** A table with no line wider than `width`: cells are wrapped, not cut. A column without any text is left out. */
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
  // The widest gives way first, so that no column becomes narrow while another is wide.
  for (let excess = total('width') - width; excess > 0; excess -= 1) {
    const [widest] = measured.filter((column) => column.width > column.min).toSorted((a, b) => b.width - a.width);
    if (!widest) break;
    widest.width -= 1;
  }
  const [only] = measured;
  if (only && measured.length === 1) only.width = Math.min(only.width, Math.max(1, width));

  const linesOf = (cellOf: (column: Column<K>) => Cell): string[] => {
    const cells = measured.map(({ column, width: room }) => {
      const { text, paint = (line) => line } = cellOf(column);
      return { column, room, paint, lines: cellLines(text, room) };
    });
    const height = Math.max(...cells.map(({ lines }) => lines.length));
    return Array.from({ length: height }, (_, at) =>
      cells
        .map(({ column, room, paint, lines }, index) => {
          const line = lines[at] ?? '';
          const blanks = ' '.repeat(Math.max(0, room - displayWidth(line)));
          if (column.align === 'right') return blanks + paint(line);
          return index === cells.length - 1 ? paint(line) : paint(line) + blanks;
        })
        .join(' '.repeat(GAP))
        .trimEnd(),
    );
  };

  if (measured.length === 0) return { lines: [], header: [], rows: [], shown: [], widths: [] };
  const header = linesOf((column) => ({ text: column.header, paint: options.style.dim }));
  const body = rows.map((row) => linesOf(({ key }) => row[key] ?? { text: '' }));
  const [shown, widths] = [measured.map(({ column }) => column.key), measured.map((column) => column.width)];
  return { lines: [...header, ...body.flat()], header, rows: body, shown, widths };
}

function cellLines(text: string, room: number): string[] {
  if (displayWidth(text) <= room && !text.includes('\n')) return [text];
  // One character may take more columns than a very narrow cell has.
  return wrap(text, room).map((line) => shorten(line, room));
}

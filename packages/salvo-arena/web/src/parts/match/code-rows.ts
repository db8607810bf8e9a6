import { type DiffLine, lineDiff } from 'salvo/kit/page';

/** A row of the code, or a gap of lines that are the same in both files. */
export type CodeRow = DiffLine | { kind: 'gap'; lines: number; before: number };

/** Lines around a difference. */
const CONTEXT = 4;

export function codeLines(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/);
  // A file that ends with a line break has no further line.
  return lines.at(-1) === '' && lines.length > 1 ? lines.slice(0, -1) : lines;
}

export function plainRows(text: string): CodeRow[] {
  return codeLines(text).map((line, index) => ({ kind: 'same', before: null, after: index + 1, text: line }));
}

/** What differs from the twin, with a few lines around it. */
export function differenceRows(twin: string | null, text: string | null): CodeRow[] {
  const all = lineDiff(twin === null ? [] : codeLines(twin), text === null ? [] : codeLines(text));
  const rows: CodeRow[] = [];
  let same: DiffLine[] = [];
  const close = (isEnd: boolean) => {
    const head = rows.length === 0 ? 0 : CONTEXT;
    const tail = isEnd ? 0 : CONTEXT;
    if (same.length <= head + tail + 1) rows.push(...same);
    else {
      const gap = same.length - head - tail;
      rows.push(...same.slice(0, head));
      rows.push({ kind: 'gap', lines: gap, before: same[head]?.before ?? 0 });
      rows.push(...same.slice(same.length - tail));
    }
    same = [];
  };
  for (const line of all) {
    if (line.kind === 'same') same.push(line);
    else {
      if (same.length > 0) close(false);
      rows.push(line);
    }
  }
  if (same.length > 0) close(true);
  return rows;
}

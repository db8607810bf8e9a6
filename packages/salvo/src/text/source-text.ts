/** The text of one file, and where its lines are. */
export interface SourceText {
  file: string;
  text: string;
  /** Line and column, from 1, of an offset. */
  place(offset: number): { line: number; column: number };
  /** A line without its line break. */
  line(number: number): string;
}

/** A part of a file, from `start` up to `end`. */
export interface Span {
  source: SourceText;
  start: number;
  end: number;
}

export function sourceText({ file, text }: { file: string; text: string }): SourceText {
  const lines = textLines(text);
  return {
    file,
    text,
    place(offset) {
      const line = lines.line(Math.max(0, offset));
      return { line, column: Math.max(0, Math.min(offset, text.length) - lines.start(line)) + 1 };
    },
    line(number) {
      return text.slice(lines.start(number), lines.start(number + 1)).replace(/\r?\n?$/, '');
    },
  };
}

/** Lines and columns of a text, both from 1. */
export interface TextLines {
  line(offset: number): number;
  column(offset: number): number;
  /** Where a line begins; the end of the text for a line behind the last. */
  start(line: number): number;
}

/** The lines are counted on first use: most texts are read without an error to locate. */
export function textLines(text: string): TextLines {
  let found: number[] | undefined;
  const starts = () => {
    found ??= lineStarts(text);
    return found;
  };
  // Callers go through a text from front to back, so the line is nearly always the last one or one soon after it.
  let last = 0;
  const lineIndex = (offset: number) => {
    const all = starts();
    if (offset < (all[last] ?? 0) || offset >= (all[last + 16] ?? Number.POSITIVE_INFINITY)) last = search(all, offset);
    while ((all[last + 1] ?? Number.POSITIVE_INFINITY) <= offset) last += 1;
    return last;
  };
  return {
    line: (offset) => lineIndex(offset) + 1,
    column: (offset) => offset - (starts()[lineIndex(offset)] ?? 0) + 1,
    start: (line) => starts()[line - 1] ?? text.length,
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function search(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The text of one file, and where its lines are. */
export interface SourceText {
  file: string;
  text: string;
  /** Line and column, from 1, of an offset. */
  place(offset: number): { line: number; column: number };
  /** A line without its line break. */
  line(number: number): string;
}

/** A stretch of a file: offsets from, inclusive, to, exclusive. */
export interface Span {
  source: SourceText;
  start: number;
  end: number;
}

export function sourceText({ file, text }: { file: string; text: string }): SourceText {
  let starts: number[] | undefined;
  const lineStarts = () => {
    starts ??= [0, ...text.matchAll(/\n/g).map((match) => match.index + 1)];
    return starts;
  };
  return {
    file,
    text,
    place(offset) {
      const all = lineStarts();
      let low = 0;
      let high = all.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if ((all[middle] ?? 0) <= offset) low = middle;
        else high = middle - 1;
      }
      return { line: low + 1, column: Math.max(0, Math.min(offset, text.length) - (all[low] ?? 0)) + 1 };
    },
    line(number) {
      const all = lineStarts();
      const start = all[number - 1] ?? text.length;
      return text.slice(start, (all[number] ?? text.length + 1) - 1).replace(/\r$/, '');
    },
  };
}

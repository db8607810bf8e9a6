import { textLines } from './text-lines.ts';

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

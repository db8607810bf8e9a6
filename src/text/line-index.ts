import { textLines } from './text-lines.ts';

/** Which line an offset lies in, and where a line begins: the end of the text for a line behind the last. */
export interface LineIndex {
  line(offset: number): number;
  start(line: number): number;
}

export function lineIndex(text: string): LineIndex {
  const lines = textLines(text);
  let starts: number[] | undefined;
  const startsOf = () => {
    const found = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) found.push(at + 1);
    return found;
  };
  return {
    line: lines.line,
    start: (line) => {
      starts ??= startsOf();
      return starts[line - 1] ?? text.length;
    },
  };
}

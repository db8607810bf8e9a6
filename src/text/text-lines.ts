/** Which line and column an offset of a text lies in; both count from 1. */
export interface TextLines {
  line(offset: number): number;
  column(offset: number): number;
}

export function textLines(text: string): TextLines {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  // Callers go through a text from front to back, so the line is nearly always the last one or one close behind it.
  let last = 0;
  const lineIndex = (offset: number) => {
    if (offset < (starts[last] ?? 0) || offset >= (starts[last + 16] ?? Number.POSITIVE_INFINITY)) {
      last = search(starts, offset);
    }
    while ((starts[last + 1] ?? Number.POSITIVE_INFINITY) <= offset) last += 1;
    return last;
  };
  return {
    line: (offset) => lineIndex(offset) + 1,
    column: (offset) => offset - (starts[lineIndex(offset)] ?? 0) + 1,
  };
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

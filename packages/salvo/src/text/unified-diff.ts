import { diff } from 'node:util';

const CONTEXT_LINES = 3;
/** The time and memory of a comparison grow with the square of the changed lines. */
const MOST_CHANGED_LINES = 2000;
const MOST_LINES_SHOWN = 400;

interface Line {
  /** A space, - or +, as in a unified diff. */
  mark: ' ' | '-' | '+';
  text: string;
  /** Numbers of the line before and after, from 1. */
  before: number;
  after: number;
}

/** The changed lines with those around them, as `diff -u` shows them; long ones are cut with a note. */
export function unifiedDiff(before: string, after: string): string {
  const lines = comparedLines(before.split('\n'), after.split('\n'));
  const hunks = hunksOf(lines);
  const shown = hunks.flatMap((hunk) => [headOf(hunk), ...hunk.map(({ mark, text }) => `${mark}${text}`)]);
  const more = shown.length - MOST_LINES_SHOWN;
  return [...shown.slice(0, MOST_LINES_SHOWN), ...(more > 0 ? [`[${more} more lines]`] : [])].join('\n');
}

function comparedLines(before: readonly string[], after: readonly string[]): Line[] {
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start += 1;
  let end = 0;
  const rest = Math.min(before.length, after.length) - start;
  while (end < rest && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const [removed, added] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const lines: Line[] = [];
  let [inBefore, inAfter] = [1, 1];
  const add = (mark: Line['mark'], text: string) => {
    lines.push({ mark, text, before: inBefore, after: inAfter });
    if (mark !== '+') inBefore += 1;
    if (mark !== '-') inAfter += 1;
  };
  for (const text of before.slice(0, start)) add(' ', text);
  for (const { mark, text } of middleLines(removed, added)) add(mark, text);
  for (const text of before.slice(before.length - end)) add(' ', text);
  return lines;
}

function middleLines(removed: string[], added: string[]): Pick<Line, 'mark' | 'text'>[] {
  const isSimple = removed.length === 0 || added.length === 0;
  if (isSimple || removed.length + added.length > MOST_CHANGED_LINES) {
    const all = (mark: Line['mark'], texts: readonly string[]) => texts.map((text) => ({ mark, text }));
    return [...all('-', removed), ...all('+', added)];
  }
  return diff(removed, added).map(([kind, text]) => ({ mark: kind === 0 ? ' ' : kind === 1 ? '-' : '+', text }));
}

/** Changed lines that are near each other, with the lines around them. */
function hunksOf(lines: readonly Line[]): Line[][] {
  const hunks: Line[][] = [];
  let until = -1;
  for (const [index, { mark }] of lines.entries()) {
    if (mark === ' ') continue;
    const from = Math.max(index - CONTEXT_LINES, until, 0);
    const to = Math.min(index + CONTEXT_LINES + 1, lines.length);
    const last = hunks.at(-1);
    if (last && from === until) last.push(...lines.slice(Math.max(until, from), to));
    else hunks.push(lines.slice(from, to));
    until = Math.max(until, to);
  }
  return hunks;
}

function headOf(hunk: readonly Line[]): string {
  const [first] = hunk;
  const count = (other: Line['mark']) => hunk.filter(({ mark }) => mark !== other).length;
  return `@@ -${first?.before ?? 0},${count('+')} +${first?.after ?? 0},${count('-')} @@`;
}

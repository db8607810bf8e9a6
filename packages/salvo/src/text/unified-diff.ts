import { type DiffLine, lineDiff } from './words/line-diff.ts';

const CONTEXT_LINES = 3;
const MOST_LINES_SHOWN = 400;
const MARKS = { same: ' ', removed: '-', added: '+' } as const satisfies Record<DiffLine['kind'], string>;

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
  const lines = comparedLines(before, after);
  const hunks = hunksOf(lines);
  const shown = hunks.flatMap((hunk) => [headOf(hunk), ...hunk.map(({ mark, text }) => `${mark}${text}`)]);
  const more = shown.length - MOST_LINES_SHOWN;
  return [...shown.slice(0, MOST_LINES_SHOWN), ...(more > 0 ? [`[${more} more lines]`] : [])].join('\n');
}

function comparedLines(before: string, after: string): Line[] {
  let [inBefore, inAfter] = [1, 1];
  return lineDiff(before.split('\n'), after.split('\n')).map(({ kind, text }) => {
    const line = { mark: MARKS[kind], text, before: inBefore, after: inAfter };
    if (kind !== 'added') inBefore += 1;
    if (kind !== 'removed') inAfter += 1;
    return line;
  });
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

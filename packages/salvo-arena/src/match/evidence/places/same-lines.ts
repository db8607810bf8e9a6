/** Some tools report the line before a block. */
const LINE_TOLERANCE = 2;

export function sameFile(a: string, b: string): boolean {
  if (a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`)) return true;
  // The same name in different folders: one of the paths may start elsewhere.
  return a.slice(a.lastIndexOf('/') + 1) === b.slice(b.lastIndexOf('/') + 1);
}

/** Lines are counted from 1; 0 when they are unknown. */
interface LineSpan {
  first: number;
  last: number;
}

export function linesOverlap(a: LineSpan, b: LineSpan): boolean {
  if (a.first === 0 || b.first === 0) return false;
  return a.first <= b.last + LINE_TOLERANCE && b.first <= a.last + LINE_TOLERANCE;
}

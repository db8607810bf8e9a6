/** When a request was under way, in milliseconds. */
export interface Interval {
  start: number;
  end: number;
}

/** How long at least one of several requests was under way: those at the same time count once. */
export function timeUnderWay(intervals: readonly Interval[]): number {
  let total = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const { start, end } of intervals.toSorted((a, b) => a.start - b.start)) {
    total += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return total;
}

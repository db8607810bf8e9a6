/** What must be done before this process ends, also if code of the user ends it by an error that nobody catches. */
export const exitWork = new Set<() => Promise<unknown>>();

/** What this process does before it makes many objects at once. */
export const beforeLargeLoad = new Set<() => void>();

/** With fewer rows, the objects of a run take little memory, and every millisecond of its start counts. */
const MANY_ROWS = 10_000;

/** Call this before a table of so many rows is copied or parsed. */
export function announceRows(rows: number): void {
  if (rows >= MANY_ROWS) for (const prepare of beforeLargeLoad) prepare();
}

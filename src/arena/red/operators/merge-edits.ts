import type { CodeEdit } from './operator.ts';

/** One entry per file, in the order the files are first named. */
export function mergeEdits(edits: readonly CodeEdit[]): CodeEdit[] {
  return [...Map.groupBy(edits, ({ file }) => file)].map(([file, all]) => ({
    file,
    edits: all.flatMap((one) => one.edits),
  }));
}

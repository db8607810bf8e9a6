import { statSync } from 'node:fs';

/** What tells whether a file was written; null if there is none. */
type Stamp = string | null;

/** The state of files at some time. */
export type Stamps = ReadonlyMap<string, Stamp>;

/**
 * Files are compared by their state and not watched for events: editors that replace a file by renaming another one,
 * network folders and containers report events differently, or not at all.
 */
export function stampsOf(files: Iterable<string>): Stamps {
  return new Map(Array.from(files, (file) => [file, stampOf(file)]));
}

/** The files that differ. A file that only one of the states knows has changed if it exists. */
export function changesBetween(before: Stamps, after: Stamps): Set<string> {
  const files = new Set([...before.keys(), ...after.keys()]);
  return new Set([...files].filter((file) => (before.get(file) ?? null) !== (after.get(file) ?? null)));
}

function stampOf(file: string): Stamp {
  try {
    const { mtimeMs, size, ino } = statSync(file);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return null;
  }
}

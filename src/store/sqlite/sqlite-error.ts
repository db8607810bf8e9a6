import { SalvoError } from '../../text/salvo-error.ts';

interface Explanation {
  code: string;
  message: (file: string) => string;
}

const CORRUPT: Explanation = {
  code: 'STORE_CORRUPT',
  message: (file) =>
    `${file} is not a database or is damaged, so it was left as it is. Move it away to start with an empty store, or restore a copy of it.`,
};

const BUSY: Explanation = {
  code: 'STORE_BUSY',
  message: (file) => `Another program keeps ${file} locked. Close what is writing to it, then try again.`,
};

const NOT_WRITABLE: Explanation = {
  code: 'STORE_NOT_WRITABLE',
  message: (file) =>
    `${file} can't be opened for writing. Check the permissions of the file and of its folder, or set another storage_dir in salvo.yaml.`,
};

const FULL: Explanation = {
  code: 'STORE_FULL',
  message: (file) => `No space is left for ${file}. What was stored before is intact; free some space and try again.`,
};

const IO: Explanation = {
  code: 'STORE_IO',
  message: (file) => `Reading or writing ${file} failed. Check the disk it is on.`,
};

/** By SQLite's primary result code: https://sqlite.org/rescode.html */
const EXPLANATIONS: ReadonlyMap<number, Explanation> = new Map([
  [3, NOT_WRITABLE],
  [5, BUSY],
  [6, BUSY],
  [8, NOT_WRITABLE],
  [10, IO],
  [11, CORRUPT],
  [13, FULL],
  [14, NOT_WRITABLE],
  [23, NOT_WRITABLE],
  [26, CORRUPT],
]);

/** SQLite's error with a message that a user can act on; any error that has nothing to do with file or disk as it is. */
export function sqliteError(file: string, cause: unknown): unknown {
  const explanation = EXPLANATIONS.get(resultCode(cause) ?? 0);
  return explanation === undefined ? cause : new SalvoError(explanation.code, explanation.message(file), { cause });
}

/** SQLITE_CONSTRAINT_FOREIGNKEY: a row refers to one that is not there. */
export function isForeignKeyError(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 787;
}

export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === 5 || code === 6;
}

/** A stored document that does not fit its schema. */
export function damaged(file: string, what: string, cause?: unknown): SalvoError {
  return new SalvoError('STORE_CORRUPT', `${what} in ${file} can't be read: the database is damaged.`, { cause });
}

/** The low byte is the primary code; the rest distinguishes its variants. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined;
  return error.errcode & 0xff;
}

import type { ErrorCode } from '../../text/errors/error-codes.ts';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';

const BUSY: readonly number[] = [5, 6];

/** SQLite's primary result codes (https://sqlite.org/rescode.html), and what is said about them. */
const EXPLANATIONS: readonly {
  results: readonly number[];
  code: ErrorCode;
  message: (file: string) => string;
  /** Whether the fault is never that of what was asked for. */
  isOutage?: boolean;
}[] = [
  {
    results: [11, 26],
    code: 'STORE_CORRUPT',
    message: (file) =>
      `${file} is not a database or is damaged, so it was left as it is. Move it away to start with an empty store, or restore a copy of it.`,
  },
  {
    results: BUSY,
    code: 'STORE_BUSY',
    isOutage: true,
    message: (file) => `Another program keeps ${file} locked. Close what is writing to it, then try again.`,
  },
  {
    results: [3, 8, 14, 23],
    code: 'STORE_NOT_WRITABLE',
    message: (file) =>
      `${file} can't be opened for writing. Check the permissions of the file and of its folder, whether the disk is mounted read-only and how many files may be open (ulimit -n), or set another storage_dir in salvo.yaml.`,
  },
  {
    results: [13],
    code: 'STORE_FULL',
    isOutage: true,
    message: (file) =>
      `No space is left for ${file}. What was stored before is intact. Free some space, then go on with {option:resume} latest.`,
  },
  {
    results: [10],
    code: 'STORE_IO',
    isOutage: true,
    message: (file) => `Reading or writing ${file} failed. Check the disk it is on.`,
  },
];

/**
 * SQLite's error with a message that a user can act on; any error that has nothing to do with file or disk as it is.
 * `midRun`: the store was opened before, so nothing was wrong with what was asked for.
 */
export function sqliteError(file: string, cause: unknown, { midRun = false } = {}): unknown {
  const result = resultCode(cause);
  if (result === 1 && /no such (table|column)|has no column/.test(errorMessage(cause))) return incomplete(file, cause);
  const explanation = EXPLANATIONS.find(({ results }) => results.includes(result));
  if (explanation === undefined) return cause;
  const { code, message, isOutage = false } = explanation;
  return new SalvoError(code, message(file), { cause, outcome: isOutage || midRun ? 'unscored' : 'wrong_input' });
}

function incomplete(file: string, cause: unknown): SalvoError {
  const message = `${file} lacks a part of its tables (${errorMessage(cause)}): something other than Salvo changed it. Move it away to start with an empty store, or restore a copy of it.`;
  return new SalvoError('STORE_CORRUPT', message, { cause });
}

/** SQLITE_CONSTRAINT_FOREIGNKEY: a row refers to one that is not there. */
export function isForeignKeyError(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 787;
}

/** What is asked for can't be done with what is there: no fault of file or disk. */
export function isSqlError(error: unknown): boolean {
  return resultCode(error) === 1;
}

export function isBusy(error: unknown): boolean {
  return BUSY.includes(resultCode(error));
}

/** The low byte is the primary code, the rest distinguishes its variants; 0 for any other error. */
function resultCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
}

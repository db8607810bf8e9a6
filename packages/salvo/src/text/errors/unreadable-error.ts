import { SalvoError } from './salvo-error.ts';

/** Something that is stored and can't be read. Everything else in the store can be. */
export class UnreadableError extends SalvoError {
  /** What is wrong with it, without the place. */
  readonly why: string;

  constructor(message: string, options: { why: string; cause?: unknown }) {
    super('STORE_UNREADABLE', message, { cause: options.cause });
    this.why = options.why;
  }
}

export function isUnreadable(error: unknown): error is UnreadableError {
  return error instanceof UnreadableError;
}

/** What is wrong with a document of a version that this Salvo does not know. */
export function newerVersion(version: number, known: number): string {
  return `written by a newer Salvo (version ${version}); this one reads up to ${known}: update Salvo`;
}

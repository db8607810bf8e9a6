import { z } from 'zod';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { isUnreadable, newerVersion, UnreadableError } from '../../text/errors/unreadable-error.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { type Dehydrated, dehydrate, hydrate } from './dehydrate.ts';
import type { Completion } from './earlier-documents.ts';

/**
 * Of all stored documents. It increases when a document changes so that an earlier Salvo would misunderstand it; a field
 * that may be missing is no such change. The row of a run has it for the run and its trials; every other document has it
 * as `document_version`, which is missing in those from before it was kept.
 */
export const DOCUMENT_VERSION = 1;

/** A document that carries its version. */
export function encodeVersioned(what: string, value: object): Dehydrated {
  return encode(what, { document_version: DOCUMENT_VERSION, ...value });
}

/**
 * A document in the form in which it is stored. Throws a readable error when a value can't be JSON: values from a user's
 * own module can be circular, or hold a BigInt.
 */
export function encode(what: string, value: unknown): Dehydrated {
  try {
    return dehydrate(value);
  } catch (cause) {
    if (!(cause instanceof TypeError || cause instanceof RangeError)) throw cause;
    const message = `${what} can't be stored because it is not plain JSON: ${cause.message}.`;
    throw new SalvoError('STORE_VALUE_INVALID', message, { cause });
  }
}

/** `complete` adds what documents of earlier versions lack. */
export type Decoder = <T>(what: string, schema: z.ZodType<T>, document: string, complete?: Completion) => T;

/** Reads the documents of a database, and checks them. `textOf` gives a long text by its reference. */
export function decoder(database: string, textOf: (reference: string) => string): Decoder {
  return (what, schema, document, complete = (value) => value) => {
    let value: unknown;
    try {
      value = hydrate(document, textOf);
    } catch (cause) {
      throw cause instanceof SyntaxError ? unreadable(database, what, 'it is no JSON', cause) : cause;
    }
    if (isRecord(value) && typeof value.document_version === 'number') {
      const { document_version: version, ...rest } = value;
      if (Number(version) > DOCUMENT_VERSION) throw ofNewerSalvo(database, what, Number(version));
      value = rest;
    }
    value = complete(value);
    if (!conforms(schema, value)) throw unreadable(database, what, firstProblem(schema, value));
    return value;
  };
}

/**
 * Whether a stored value fits the schema. The value itself is used then, not zod's copy, which would lack keys such as
 * `__proto__` that an agent wrote and a stored trace keeps.
 */
export function conforms<T>(schema: z.ZodType<T>, value: unknown): value is T {
  const before = checks.get(schema) ?? 0;
  checks.set(schema, before + 1);
  return schema.safeParse(value, { jitless: before < CHECKS_BEFORE_COMPILING }).success;
}

/** Zod compiles a schema for the first object that it checks. That takes as long as a few dozen checks without it. */
const CHECKS_BEFORE_COMPILING = 30;
const checks = new WeakMap<z.ZodType, number>();

function firstProblem(schema: z.ZodType, value: unknown): string {
  const issue = schema.safeParse(value).error?.issues[0];
  if (issue === undefined) return 'it is damaged';
  return issue.path.length === 0 ? issue.message : `${z.core.toDotPath(issue.path)}: ${issue.message}`;
}

/** A stored document that does not fit its schema. */
export function unreadable(database: string, what: string, why = 'it is damaged', cause?: unknown): UnreadableError {
  const message = `${what} in ${database} can't be read (${why}): it is damaged, or of a Salvo that this one does not know. \`salvo export RUN --raw\` writes what is stored of a run, and \`salvo db prune --unreadable\` removes the runs that can't be read.`;
  return new UnreadableError(message, { why, cause });
}

/** A stored document of a version that this Salvo does not know. */
export function ofNewerSalvo(database: string, what: string, version: number): UnreadableError {
  const why = newerVersion(version, DOCUMENT_VERSION);
  return new UnreadableError(`${what} in ${database} was ${why}.`, { why });
}

/** What a person is told whose tables were brought to this version: the same words for every database. */
export function migrationNotice(migrated: { place: string; from: number; to: number; kept: string }): string {
  const { place, from, to, kept } = migrated;
  return `${place} was written by an earlier Salvo: its tables were brought from version ${from} to ${to}. ${kept}`;
}

/** Reads what can be read, and passes the rest to `onUnreadable`. */
export function readEach<Row, T>(
  rows: readonly Row[],
  read: (row: Row) => T,
  onUnreadable: (row: Row, error: UnreadableError) => void,
): T[] {
  return rows.flatMap((row) => {
    try {
      return [read(row)];
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      onUnreadable(row, error);
      return [];
    }
  });
}

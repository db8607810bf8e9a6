import type { z } from 'zod';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { type Dehydrated, dehydrate, hydrate } from './dehydrate.ts';

/** A document in the form in which it is stored. Throws a readable error when a value can't be JSON. */
export function encode(what: string, value: unknown): Dehydrated {
  return asJson(what, () => dehydrate(value));
}

/** Explains why a value can't become JSON: values from a user's own module can be circular, or hold a BigInt. */
export function asJson<T>(what: string, convert: () => T): T {
  try {
    return convert();
  } catch (cause) {
    if (!(cause instanceof TypeError || cause instanceof RangeError)) throw cause;
    const message = `${what} can't be stored because it is not plain JSON: ${cause.message}.`;
    throw new SalvoError('STORE_NOT_JSON', message, { cause });
  }
}

export type Decoder = <T>(what: string, schema: z.ZodType<T>, document: string) => T;

/** Reads the documents of a database, and checks them. `textOf` gives a long text by its reference. */
export function decoder(database: string, textOf: (reference: string) => string): Decoder {
  return (what, schema, document) => {
    let value: unknown;
    try {
      value = hydrate(document, textOf);
    } catch (cause) {
      throw cause instanceof SyntaxError ? damaged(database, what, cause) : cause;
    }
    if (!conforms(schema, value)) throw damaged(database, what);
    return value;
  };
}

/**
 * Whether a stored value fits the schema. The value itself is used then, not zod's copy, which would lack keys such as
 * `__proto__` that an agent wrote and a stored trace keeps.
 */
export function conforms<T>(schema: z.ZodType<T>, value: unknown): value is T {
  return schema.safeParse(value).success;
}

/** A stored document that does not fit its schema. */
export function damaged(database: string, what: string, cause?: unknown): SalvoError {
  return new SalvoError('STORE_CORRUPT', `${what} in ${database} can't be read: the database is damaged.`, { cause });
}

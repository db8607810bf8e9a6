import type { z } from 'zod';
import { SalvoError } from '../../text/salvo-error.ts';
import type { BlobTable } from './blob-table.ts';
import { type Dehydrated, dehydrate, hydrate } from './dehydrate.ts';
import { damaged } from './sqlite-error.ts';

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

/** Reads stored documents, and checks them. */
export function decoder(file: string, blobs: Pick<BlobTable, 'text'>): Decoder {
  return (what, schema, document) => {
    let value: unknown;
    try {
      value = hydrate(document, blobs.text);
    } catch (cause) {
      throw cause instanceof SyntaxError ? damaged(file, what, cause) : cause;
    }
    if (!conforms(schema, value)) throw damaged(file, what);
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

import { z } from 'zod';

/**
 * What a field of a stored document holds. A field without a mark holds text: secrets are redacted in it, and with
 * `metadata_only` it is not stored. So a field that is added later is safe by default.
 */
export type TextMark =
  | { kind: 'text_free' }
  | { kind: 'project_name' }
  | { kind: 'foreign_name' }
  | { kind: 'file_content' }
  | { kind: 'error'; codeField: string }
  | { kind: 'measurements'; names: Readonly<Record<string, TextMark>> };

type Schema = z.core.$ZodType;

const MARKS = new WeakMap<Schema, TextMark>();

/** An id, a hash, a time or a code that Salvo made: stored as it is, also when a custom pattern matches it. */
export function textFree<S extends Schema>(schema: S): S {
  return marked(schema, { kind: 'text_free' });
}

/** A name that the project chose: a scenario, a file, a model. Redacted, and stored with `metadata_only` too. */
export function projectName<S extends Schema>(schema: S): S {
  return marked(schema, { kind: 'project_name' });
}

/** A name that an agent or a provider gave, such as a tool's: `metadata_only` stores it only if it is a single word. */
export function foreignName<S extends Schema>(schema: S): S {
  return marked(schema, { kind: 'foreign_name' });
}

/** The bytes of a file in base64: stored as they are, because nothing can be redacted in them; not with `metadata_only`. */
export function fileContent<S extends Schema>(schema: S): S {
  return marked(schema, { kind: 'file_content' });
}

/** An error message, which may quote a program's output: `metadata_only` stores the code in `codeField` instead. */
export function errorText<S extends Schema>(schema: S, codeField: string): S {
  return marked(schema, { kind: 'error', codeField });
}

/**
 * Data of no fixed schema: `metadata_only` stores its numbers and booleans, without its strings. `names` are strings
 * on its first level that are treated as marked.
 */
export function measurements<S extends Schema>(schema: S, names: Record<string, TextMark> = {}): S {
  return marked(schema, { kind: 'measurements', names });
}

export function textMark(schema: Schema): TextMark | undefined {
  return MARKS.get(schema);
}

/** The mark is on this schema object: a method that makes a new one (`.min()`, `.describe()`) has to be called before. */
function marked<S extends Schema>(schema: S, mark: TextMark): S {
  MARKS.set(schema, mark);
  return schema;
}

/**
 * A schema of a value that few documents have, built when there is one. It cannot be optional itself: an object asks every
 * field about that, and `z.lazy` would build its schema to answer.
 */
export function laterSchema<S extends z.ZodType>(make: () => S): z.ZodLazy<S> {
  const schema = z.lazy(make);
  for (const name of ['optin', 'optout']) Object.defineProperty(schema._zod, name, { value: undefined });
  return schema;
}

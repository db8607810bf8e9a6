/**
 * A value while it is worked out: JSON in which any part may be unknown. Lists and objects are made by `makeList` and
 * `makeObject` only, which keep count of their sizes: code that shares a value with itself over and over must not
 * become one that nobody can walk through.
 */
export type Datum = string | number | boolean | null | Unknown | Datum[] | { [key: string]: Datum };

/** A value, or a part of one, that the code alone does not tell. */
export class Unknown {
  readonly reason: string;
  /** What stands in its place where a text is wanted: `${aws_s3_bucket.a.arn}`, or a template with such in it. */
  readonly text: string;
  /** The address of the block that it is an attribute of. */
  readonly refersTo: string | null;
  /** For JSON with an unknown in it: the value that was encoded. */
  readonly encoded: Datum | undefined;

  constructor(reason: string, text: string, options: { refersTo?: string | null; encoded?: Datum } = {}) {
    this.reason = reason;
    this.text = text;
    this.refersTo = options.refersTo ?? null;
    this.encoded = options.encoded;
  }
}

/** In the place of what is not known. Quotes would end the JSON string that it may come to stand in. */
export function placeholder(text: string): string {
  const inner = text.replaceAll('"', "'").replaceAll(/\s+/g, ' ').replaceAll('\\', '/');
  return `\${${inner.length > 200 ? `${inner.slice(0, 200)}...` : inner}}`;
}

/** CloudFormation's `AWS::NoValue`: the property is as good as not there. */
export const NO_VALUE = new Unknown('AWS::NoValue', placeholder('AWS::NoValue'));

const MAX_SIZE = 200_000;
const MAX_TEXT = 1_000_000;

interface Measure {
  size: number;
  firstUnknown: Unknown | null;
}

const measures = new WeakMap<object, Measure>();

export function isUnknown(datum: Datum | undefined): datum is Unknown {
  return datum instanceof Unknown;
}

export function isList(datum: Datum | undefined): datum is Datum[] {
  return Array.isArray(datum);
}

export function isObject(datum: Datum | undefined): datum is { [key: string]: Datum } {
  return typeof datum === 'object' && datum !== null && !Array.isArray(datum) && !(datum instanceof Unknown);
}

export function makeList(items: Datum[]): Datum {
  const kept = items.filter((item) => item !== NO_VALUE);
  return measured(kept, kept);
}

/** Keys like `__proto__` become keys like any other. */
export function makeObject(entries: Iterable<readonly [string, Datum]>): Datum {
  const kept = [...entries].filter(([, value]) => value !== NO_VALUE);
  return measured(
    Object.fromEntries(kept),
    kept.map(([, value]) => value),
  );
}

export function makeText(text: string): Datum {
  return text.length > MAX_TEXT ? new Unknown('too long a text', placeholder('...')) : text;
}

/** The first part that is not known, or null when all of it is. */
export function firstUnknown(datum: Datum): Unknown | null {
  if (datum instanceof Unknown) return datum;
  return typeof datum === 'object' && datum !== null ? (measures.get(datum)?.firstUnknown ?? null) : null;
}

export function sizeOf(datum: Datum): number {
  if (typeof datum === 'string') return 1 + Math.floor(datum.length / 64);
  return typeof datum === 'object' && datum !== null ? (measures.get(datum)?.size ?? 1) : 1;
}

function measured(made: Datum[] | { [key: string]: Datum }, parts: readonly Datum[]): Datum {
  let size = 1;
  let unknown: Unknown | null = null;
  for (const part of parts) {
    size += sizeOf(part);
    unknown ??= firstUnknown(part);
  }
  if (size > MAX_SIZE) return new Unknown('too large a value', placeholder('...'));
  measures.set(made, { size, firstUnknown: unknown });
  return made;
}

/** A JSON value from outside, measured all through. Depth is the caller's to limit: `JSON.parse` has its own bound. */
export function fromJson(value: unknown, depth = 0): Datum {
  if (depth > 200) return new Unknown('nested too deeply', placeholder('...'));
  if (Array.isArray(value)) return makeList(value.map((item) => fromJson(item, depth + 1)));
  if (typeof value === 'object' && value !== null) {
    return makeObject(Object.entries(value).map(([key, item]): [string, Datum] => [key, fromJson(item, depth + 1)]));
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}

/**
 * A value while it is worked out: JSON in which any part may be unknown. Lists and objects are made by `makeList` and
 * `makeObject` only, which keep count of their sizes: code that shares a value with itself over and over must not
 * become one that nobody can walk through.
 */
export type PartialValue =
  | string
  | number
  | boolean
  | null
  | Unknown
  | PartialValue[]
  | { [key: string]: PartialValue };

/** A value, or a part of one, that the code alone does not tell. */
export class Unknown {
  readonly reason: string;
  /** What stands in its place where a text is wanted: `${aws_s3_bucket.a.arn}`, or a template with such in it. */
  readonly text: string;
  /** The address of the block that it is an attribute of. */
  readonly refersTo: string | null;
  /** For JSON with an unknown in it: the value that was encoded. */
  readonly encoded: PartialValue | undefined;

  constructor(reason: string, text: string, options: { refersTo?: string | null; encoded?: PartialValue } = {}) {
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

export function isUnknown(value: PartialValue | undefined): value is Unknown {
  return value instanceof Unknown;
}

export function isList(value: PartialValue | undefined): value is PartialValue[] {
  return Array.isArray(value);
}

export function isObject(value: PartialValue | undefined): value is { [key: string]: PartialValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Unknown);
}

export function makeList(items: PartialValue[]): PartialValue {
  const kept = items.filter((item) => item !== NO_VALUE);
  return measured(kept, kept);
}

/** Keys like `__proto__` become keys like any other. */
export function makeObject(entries: Iterable<readonly [string, PartialValue]>): PartialValue {
  const kept = [...entries].filter(([, value]) => value !== NO_VALUE);
  return measured(
    Object.fromEntries(kept),
    kept.map(([, value]) => value),
  );
}

export function makeText(text: string): PartialValue {
  return text.length > MAX_TEXT ? new Unknown('too long a text', placeholder('...')) : text;
}

/** The first part that is not known, or null when all of it is. */
export function firstUnknown(value: PartialValue): Unknown | null {
  if (value instanceof Unknown) return value;
  return typeof value === 'object' && value !== null ? (measures.get(value)?.firstUnknown ?? null) : null;
}

export function sizeOf(value: PartialValue): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / 64);
  return typeof value === 'object' && value !== null ? (measures.get(value)?.size ?? 1) : 1;
}

function measured(
  made: PartialValue[] | { [key: string]: PartialValue },
  parts: readonly PartialValue[],
): PartialValue {
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
export function fromJson(value: unknown, depth = 0): PartialValue {
  if (depth > 200) return new Unknown('nested too deeply', placeholder('...'));
  if (Array.isArray(value)) return makeList(value.map((item) => fromJson(item, depth + 1)));
  if (typeof value === 'object' && value !== null) {
    return makeObject(
      Object.entries(value).map(([key, item]): [string, PartialValue] => [key, fromJson(item, depth + 1)]),
    );
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}

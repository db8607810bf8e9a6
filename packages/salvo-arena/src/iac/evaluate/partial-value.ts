/**
 * A value during evaluation: JSON in which any part may be unknown. Lists and objects are only made by `makeList` and
 * `makeObject`, which limit their size: hostile code can nest a value in itself until it is too large to walk through.
 */
export type PartialValue =
  | string
  | number
  | boolean
  | null
  | Unknown
  | PartialValue[]
  | { [key: string]: PartialValue };

/** A value, or a part of one, that the code alone does not determine. */
export class Unknown {
  readonly reason: string;
  /** The placeholder for it in a text: `${aws_s3_bucket.a.arn}`, or a template with such in it. */
  readonly text: string;
  /** The address of the block that it is an attribute of. */
  readonly refersTo: string | null;
  /** For JSON with an unknown part: the encoded value. */
  readonly encoded: PartialValue | undefined;
  /** Whether this element of a list stands for any number of elements: a list that was joined with known ones. */
  readonly several: boolean;

  constructor(
    reason: string,
    text: string,
    options: { refersTo?: string | null; encoded?: PartialValue; several?: boolean } = {},
  ) {
    this.reason = reason;
    this.text = text;
    this.refersTo = options.refersTo ?? null;
    this.encoded = options.encoded;
    this.several = options.several ?? false;
  }
}

/** The text for an unknown value. Without quotes, which would end a JSON string that contains it. */
export function placeholder(text: string): string {
  const inner = text.replaceAll('"', "'").replaceAll(/\s+/g, ' ').replaceAll('\\', '/');
  return `\${${inner.length > 200 ? `${inner.slice(0, 200)}...` : inner}}`;
}

/** CloudFormation's `AWS::NoValue`: the property counts as absent. */
export const NO_VALUE = new Unknown('AWS::NoValue', placeholder('AWS::NoValue'));

const MAX_SIZE = 200_000;
const MAX_TEXT = 1_000_000;

const measures = new WeakMap<object, { size: number; firstUnknown: Unknown | null }>();

export function isUnknown(value: PartialValue | undefined): value is Unknown {
  return value instanceof Unknown;
}

/** Whether it is a list of which some elements are not known, and not how many. */
export function hasSeveral(value: PartialValue | undefined): boolean {
  return isList(value) && value.some((item) => isUnknown(item) && item.several);
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

/** `Object.fromEntries` treats keys such as `__proto__` like any other. */
export function makeObject(entries: Iterable<readonly [string, PartialValue]>): PartialValue {
  const kept = [...entries].filter(([, value]) => value !== NO_VALUE);
  return measured(
    Object.fromEntries(kept),
    kept.map(([, value]) => value),
  );
}

export function makeText(text: string): PartialValue {
  return text.length > MAX_TEXT ? new Unknown('the text is too long', placeholder('...')) : text;
}

/** The first unknown part; null when the whole value is known. */
export function firstUnknown(value: PartialValue): Unknown | null {
  if (value instanceof Unknown) return value;
  return typeof value === 'object' && value !== null ? (measures.get(value)?.firstUnknown ?? null) : null;
}

/** The first unknown part of several values; null when all are known. */
export function firstUnknownOf(values: readonly PartialValue[]): Unknown | null {
  return values.map(firstUnknown).find((unknown) => unknown !== null) ?? null;
}

/** In the order in which Terraform goes through a map: by key. */
export function sortedEntries(object: { [key: string]: PartialValue }): [string, PartialValue][] {
  return Object.keys(object)
    .sort()
    .map((key) => [key, object[key] ?? null]);
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
  if (size > MAX_SIZE) return new Unknown('the value is too large', placeholder('...'));
  measures.set(made, { size, firstUnknown: unknown });
  return made;
}

/** A JSON value from outside, with its size measured. */
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

import {
  firstUnknown,
  fromJson,
  isList,
  isObject,
  isUnknown,
  makeText,
  type PartialValue,
  Unknown,
} from './partial-value.ts';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** The value of an expression. Use `knownPart` for both kinds if unknown parts do not matter. */
export type Value = KnownValue | UnknownValue;

interface KnownValue {
  known: true;
  value: Json;
}

interface UnknownValue {
  known: false;
  /** Why the first unknown part is: "variable x has no default", "aws_s3_bucket.a.arn is known after apply". */
  reason: string;
  /**
   * The value with a text such as `${aws_s3_bucket.a.arn}/*` in place of each unknown part. If it is wholly unknown,
   * only such a text.
   */
  partial: Json;
  /** If it is an attribute of a resource, the address of its block, as in `BlockView.blockAddress`. */
  refersTo: string | null;
}

export function toValue(value: PartialValue): Value {
  const unknown = firstUnknown(value);
  if (!unknown) return { known: true, value: withoutUnknowns(value) };
  const refersTo = isUnknown(value) ? value.refersTo : null;
  return { known: false, reason: unknown.reason, partial: withoutUnknowns(value), refersTo };
}

/** The value with `${...}` in place of unknown parts. */
export function knownPart(value: Value): Json {
  return value.known ? value.value : value.partial;
}

/** Whether a known part has no `${...}` in it. */
export function isKnownThroughout(part: Json): boolean {
  if (typeof part === 'string') return !part.includes('${');
  if (Array.isArray(part)) return part.every(isKnownThroughout);
  return typeof part !== 'object' || part === null || Object.values(part).every(isKnownThroughout);
}

/** Whether AWS would take two settings for the same: `"true"` is `true`, `"5"` is `5`, and `ENABLED` is `Enabled`. */
export function equalsSetting(value: Json, wanted: string | number | boolean): boolean {
  return typeof value !== 'object' && String(value).toLowerCase() === String(wanted).toLowerCase();
}

export function withoutUnknowns(value: PartialValue): Json {
  if (isUnknown(value)) return value.text;
  if (isList(value)) return value.map(withoutUnknowns);
  if (isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutUnknowns(item)]));
  }
  return value;
}

/** `jsonencode`: with an unknown part, the text is unknown, but keeps the encoded value. */
export function jsonText(value: PartialValue): PartialValue {
  const text = makeText(JSON.stringify(withoutUnknowns(value)));
  const unknown = firstUnknown(value);
  if (!unknown || typeof text !== 'string') return text;
  return new Unknown(unknown.reason, text, { encoded: value });
}

/** The value that a JSON text encodes, even if parts of the text are unknown. Null when it is not JSON. */
export function fromJsonText(value: PartialValue): PartialValue | null {
  if (isUnknown(value) && value.encoded !== undefined) return value.encoded;
  const text = isUnknown(value) ? value.text : value;
  if (typeof text !== 'string') return null;
  try {
    return fromJson(JSON.parse(text));
  } catch {
    return null;
  }
}

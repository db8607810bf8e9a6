import { firstUnknown, fromJson, isUnknown, makeText, type PartialValue, Unknown } from './partial-value.ts';
import { withoutUnknowns } from './value.ts';

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

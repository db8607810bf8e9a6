import { type Datum, firstUnknown, fromJson, isUnknown, makeText, Unknown } from '../evaluate/partial-value.ts';
import { withoutUnknowns } from '../evaluate/value.ts';

/** `jsonencode`: with an unknown part it is unknown as a text, but remembers what it was made of. */
export function jsonText(datum: Datum): Datum {
  const text = makeText(JSON.stringify(withoutUnknowns(datum)));
  const unknown = firstUnknown(datum);
  if (!unknown || typeof text !== 'string') return text;
  return new Unknown(unknown.reason, text, { encoded: datum });
}

/** The value a JSON text stands for, also when parts of the text are not known; null when it is no JSON. */
export function fromJsonText(datum: Datum): Datum | null {
  if (isUnknown(datum) && datum.encoded !== undefined) return datum.encoded;
  const text = isUnknown(datum) ? datum.text : datum;
  if (typeof text !== 'string') return null;
  try {
    return fromJson(JSON.parse(text));
  } catch {
    return null;
  }
}

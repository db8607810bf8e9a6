import { cutEnd } from '../text/cut-text.ts';

/** A value for a message: JSON in one line, shortened. */
export function showValue(value: unknown, maxLength = 120): string {
  if (value === null || value === undefined) return 'nothing';
  // Only the part that is shown is escaped.
  if (typeof value === 'string') {
    return value.length > maxLength
      ? `${JSON.stringify(cutEnd(value, maxLength, '')).slice(0, -1)}…"`
      : JSON.stringify(value);
  }
  return shorten(toJson(value), maxLength);
}

/** The text, or its beginning with an ellipsis. */
export function shorten(text: string, maxLength: number): string {
  return cutEnd(text, maxLength, '…');
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return '(a value that cannot be shown)';
  }
}

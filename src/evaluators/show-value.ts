/** A value for a message: JSON in one line, shortened. */
export function showValue(value: unknown, maxLength = 120): string {
  if (value === null || value === undefined) return 'nothing';
  // Only the part that is shown is escaped.
  if (typeof value === 'string') {
    return value.length > maxLength ? `${JSON.stringify(cut(value, maxLength)).slice(0, -1)}…"` : JSON.stringify(value);
  }
  return shorten(toJson(value), maxLength);
}

/** The text, or its beginning with an ellipsis. */
export function shorten(text: string, maxLength: number): string {
  return text.length > maxLength ? `${cut(text, maxLength)}…` : text;
}

function cut(text: string, length: number): string {
  // Half of a surrogate pair would be shown as a replacement character.
  const splitsPair = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(length));
  return text.slice(0, splitsPair ? length - 1 : length);
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return '(a value that cannot be shown)';
  }
}

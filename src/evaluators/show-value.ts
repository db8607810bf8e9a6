import { cutEnd } from '../text/cut-text.ts';

/** A value for a message: JSON in one line. Of a long one, the beginning and the end are shown. */
export function showValue(value: unknown, maxLength = 120): string {
  if (value === null || value === undefined) return 'nothing';
  // Only the parts that are shown are escaped.
  if (typeof value === 'string') return value.length > maxLength ? quotedEnds(value, maxLength) : JSON.stringify(value);
  const json = toJson(value);
  return json.length > maxLength ? ends(json, maxLength).join(' … ') : json;
}

/** The text, or its beginning with an ellipsis. */
export function shorten(text: string, maxLength: number): string {
  return cutEnd(text, maxLength, '…');
}

const CONTEXT = 40;

/** Where a part of a text is, with the words around it: `at character 120: "…for a refund of…"`. */
export function showPlace(text: string, { start, end }: { start: number; end: number }): string {
  const from = Math.max(0, start - CONTEXT);
  const to = Math.min(text.length, end + CONTEXT);
  const around = text.slice(from, to).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  const found = showInner(around, 2 * CONTEXT + 120);
  return `at character ${start + 1}: "${from > 0 ? '…' : ''}${found}${to < text.length ? '…' : ''}"`;
}

function quotedEnds(text: string, maxLength: number): string {
  const [start, end] = ends(text, maxLength);
  return `"${escaped(start)} … ${escaped(end)}"`;
}

function showInner(text: string, maxLength: number): string {
  return text.length > maxLength ? ends(text, maxLength).map(escaped).join(' … ') : escaped(text);
}

/** Two thirds of the length from the beginning, one third from the end. Never half of a surrogate pair. */
function ends(text: string, maxLength: number): [start: string, end: string] {
  const tail = text.slice(text.length - Math.floor(maxLength / 3));
  return [cutEnd(text, Math.ceil((maxLength * 2) / 3), ''), tail.replace(/^[\udc00-\udfff]/, '')];
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return '(a value that cannot be shown)';
  }
}

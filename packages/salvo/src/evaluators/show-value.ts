import { maskSecrets } from '../secrets/mask-secrets.ts';
import { cutEnd } from '../text/words/cut-text.ts';
import type { Evaluation } from './evaluator.ts';

/** An agent that said nothing has not shown that it keeps to the rules. */
export const NO_ANSWER: Evaluation = { score: 0, passed: false, details: 'there is no answer: it is missing or empty' };

/** A value for a message: JSON in one line. Of a long one, the beginning and the end are shown. */
export function showValue(value: unknown, maxLength = 120): string {
  if (value === null || value === undefined) return 'nothing';
  // Only the parts that are shown are escaped.
  if (typeof value === 'string') {
    return value.length > maxLength ? `"${ends(value, maxLength).map(escaped).join(' … ')}"` : JSON.stringify(value);
  }
  const json = toJson(value);
  return json.length > maxLength ? ends(json, maxLength).join(' … ') : json;
}

/** The text, or its beginning with an ellipsis. */
export function shorten(text: string, maxLength: number): string {
  return cutEnd(text, maxLength, '…');
}

const CONTEXT = 40;
const LONGEST_PLACE = 200;

/** Where a part of a text is, with the words around it: `at character 120: "…for a refund of…"`. */
export function showPlace(text: string, { start, end }: { start: number; end: number }): string {
  const from = wordStart(text, Math.max(0, start - CONTEXT));
  const to = wordEnd(text, Math.min(text.length, end + CONTEXT));
  const around = part(text, from, to);
  const found = around.length > LONGEST_PLACE ? ends(around, LONGEST_PLACE) : [around];
  const words = found.map(escaped).join(' … ');
  return `at character ${start + 1}: "${from > 0 ? '…' : ''}${words}${to < text.length ? '…' : ''}"`;
}

/** Two thirds of the length from the beginning, one third from the end. */
function ends(text: string, maxLength: number): string[] {
  const from = wordStart(text, text.length - Math.floor(maxLength / 3));
  const to = wordEnd(text, Math.ceil((maxLength * 2) / 3));
  return to < from ? [part(text, 0, to), part(text, from, text.length)] : [part(text, 0, text.length)];
}

const WORD_BREAK = /[\s"'`,;{}[\]()<>\\]/;
const LONGEST_WORD = 100;

/** The beginning of the word at a position. Half of a secret would not be recognised, and so not be redacted. */
function wordStart(text: string, index: number): number {
  for (let at = index; at > 0 && index - at <= LONGEST_WORD; at -= 1) {
    if (WORD_BREAK.test(text.charAt(at - 1))) return at;
  }
  return index > LONGEST_WORD ? index : 0;
}

function wordEnd(text: string, index: number): number {
  for (let at = index; at < text.length && at - index <= LONGEST_WORD; at += 1) {
    if (WORD_BREAK.test(text.charAt(at))) return at;
  }
  return text.length - index > LONGEST_WORD ? index : text.length;
}

/** How far before a part its secrets are looked for: the label of a password, the first line of a private key. */
const SECRETS_BEFORE = 5000;
const SECRETS_AFTER = 500;

/** A part of a text with asterisks for secrets, which could not be told from the part alone. */
function part(text: string, from: number, to: number): string {
  const start = Math.max(0, from - SECRETS_BEFORE);
  const masked = maskSecrets(text.slice(start, to + SECRETS_AFTER)).slice(from - start, to - start);
  // Half of a surrogate pair, where no word ends.
  return masked.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
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

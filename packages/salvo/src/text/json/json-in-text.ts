import { isRecord } from './is-record.ts';
import { bracketsFrom, isNestedTooDeeply } from './nesting.ts';

/** A vote has a few thousand characters; a longer text is none. */
const LONGEST_TEXT = 200_000;
/** How many opening braces are tried before giving up. */
const MOST_STARTS = 100;

/**
 * The JSON object in a judge's answer: the whole text, or everything from the first brace to the last, or a fenced
 * block, or the first object between words. Null when there is none. Never throws.
 */
export function extractJsonFromText(text: string): Record<string, unknown> | null {
  for (const value of jsonValuesIn(text)) if (isRecord(value)) return value;
  return null;
}

/**
 * Every JSON object or list that a text can be read as, the likeliest first. One value when the text is nothing but
 * JSON; several, in their order, when it quotes some before its own.
 */
export function* jsonValuesIn(text: string): Generator<unknown> {
  if (text.length > LONGEST_TEXT) return;
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  const whole = parseJson(trimmed);
  if (whole !== undefined) {
    yield whole;
    return;
  }
  for (const [open, close] of BRACKETS) {
    const outer = parseJson(trimmed.slice(trimmed.indexOf(open), trimmed.lastIndexOf(close) + 1));
    if (outer !== undefined) yield outer;
  }
  for (const block of codeBlocks(trimmed)) {
    const value = parseJson(block);
    if (value !== undefined) yield value;
  }
  yield* objectsBetweenWords(trimmed);
}

/** A JSON object or list in a text, as it was written. */
export interface WrittenJson {
  value: unknown;
  source: string;
}

/**
 * Every JSON object or list of a text once, in their order, and the text around them. For readers that must notice when
 * there are several. Null when the text is too long or has too many brackets to be searched.
 */
export function writtenJsonIn(text: string): { values: WrittenJson[]; around: string } | null {
  if (text.length > LONGEST_TEXT) return null;
  const values: WrittenJson[] = [];
  let around = '';
  let done = 0;
  const starts = /[{[]/g;
  for (let tried = 0, found = starts.exec(text); found; found = starts.exec(text)) {
    tried += 1;
    if (tried > MOST_STARTS) return null;
    const { end } = bracketsFrom(text, found.index);
    if (end === null) continue;
    const source = text.slice(found.index, end);
    const value = parseJson(source);
    if (value === undefined) continue;
    values.push({ value, source });
    around += text.slice(done, found.index);
    done = end;
    starts.lastIndex = end;
  }
  return { values, around: around + text.slice(done) };
}

/** Whether a text has one of these names as a JSON key, in whatever broken JSON. */
export function mentionsKey(text: string, names: readonly string[]): boolean {
  if (names.length === 0) return false;
  const any = names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return new RegExp(`["'](?:${any})["']\\s*:`, 'i').test(text);
}

const BRACKETS = [
  ['{', '}'],
  ['[', ']'],
] as const;

/** An object or a list that JSON.stringify could write again; undefined for anything else. */
export function parseJson(text: string): unknown {
  if (text.length > LONGEST_TEXT || !/^[[{]/.test(text)) return undefined;
  const value = jsonOrUndefined(text);
  return isNestedTooDeeply(value) ? undefined : value;
}

/** The value of a JSON text; undefined when it is not JSON. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value of a JSON text; the text itself when it is not JSON. */
export function jsonOrText(text: string): unknown {
  const value = jsonOrUndefined(text);
  return value === undefined ? text : value;
}

function codeBlocks(text: string): string[] {
  const pieces = text.split('```').slice(0, -1);
  return pieces.filter((_, index) => index % 2 === 1).map((piece) => piece.replace(/^[\w-]*\s*/, '').trim());
}

function* objectsBetweenWords(text: string): Generator<unknown> {
  let start = text.indexOf('{');
  for (let tried = 0; start >= 0 && tried < MOST_STARTS; tried += 1) {
    const { end } = bracketsFrom(text, start);
    const value = end === null ? undefined : parseJson(text.slice(start, end));
    if (value !== undefined) yield value;
    start = text.indexOf('{', value === undefined || end === null ? start + 1 : end);
  }
}

import { jsonOrUndefined } from './json-in-text.ts';
import { bracketsFrom, MAX_NESTING } from './nesting.ts';

/**
 * Reads the output of several tools one after the other: JSON Lines, `{…}{…}`, and JSON with log lines before or between.
 * A value begins at the start of a line or directly after another. Takes time linear in the text's length.
 */
export function readJsonStream(text: string) {
  const values: unknown[] = [];
  // The offset of the first thing that is neither JSON nor white space.
  let strayAt: number | null = null;
  // Whether a bracket is never closed: then the values may be parts of one that was cut off.
  let isCutOff = false;
  let at = 0;
  // The search for a missing closing bracket goes to the end of the text, so it may not happen often.
  let budget = text.length * 4;
  while (budget > 0) {
    at = skipSpace(text, at);
    if (at >= text.length) break;
    const end = endOfValue(text, at);
    budget -= (end ?? text.length) - at;
    const value = end === null ? undefined : jsonOrUndefined(text.slice(at, end));
    if (value !== undefined && end !== null) {
      values.push(value);
      at = end;
    } else {
      strayAt ??= at;
      isCutOff ||= end === null && /[[{]/.test(text.charAt(at));
      at = afterStray(text, at);
    }
  }
  const isOver = at >= text.length;
  return { values, strayAt: isOver ? strayAt : (strayAt ?? at), isCutOff: isCutOff || !isOver };
}

/** The next line; after a comma a value may follow on the same line. */
function afterStray(text: string, at: number): number {
  if (text[at] === ',') return at + 1;
  const lineEnd = text.indexOf('\n', at);
  return lineEnd < 0 ? text.length : lineEnd + 1;
}

function skipSpace(text: string, from: number): number {
  const space = /\s*/y;
  space.lastIndex = from;
  space.test(text);
  return space.lastIndex;
}

/** Behind the bracket that closes the one at `start`; null without one, or when it is nested too deeply. */
function endOfValue(text: string, start: number): number | null {
  const { deepest, end } = bracketsFrom(text, start);
  return deepest > MAX_NESTING ? null : end;
}

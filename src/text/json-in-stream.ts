import { bracketsFrom } from './brackets-from.ts';
import { MAX_NESTING } from './nesting.ts';

/** The JSON values of a text that is more than one, and what stands between them. */
export interface JsonStream {
  values: unknown[];
  /** The offset of the first thing that is neither JSON nor white space; null when there is none. */
  strayAt: number | null;
  /** Whether a bracket was opened that nothing closes: then the values may be parts of one that breaks off. */
  isCutOff: boolean;
}

/**
 * Reads what several tools write one after the other: JSON Lines, `{…}{…}`, and JSON with lines of a log before or
 * between. A value begins at the start of a line or directly behind another. Takes time linear in the text's length.
 */
export function readJsonStream(text: string): JsonStream {
  const values: unknown[] = [];
  let strayAt: number | null = null;
  let isCutOff = false;
  let at = 0;
  // Brackets that nothing closes are looked for to the end of the text, so this may not happen often.
  let budget = text.length * 4;
  while (budget > 0) {
    at = skipSpace(text, at);
    if (at >= text.length) break;
    const end = endOfValue(text, at);
    budget -= (end ?? text.length) - at;
    const parsed = end === null ? null : parse(text.slice(at, end));
    if (parsed && end !== null) {
      values.push(parsed.value);
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

/** The next line; but what a comma parts may follow on the same. */
function afterStray(text: string, at: number): number {
  if (text[at] === ',') return at + 1;
  const lineEnd = text.indexOf('\n', at);
  return lineEnd < 0 ? text.length : lineEnd + 1;
}

function parse(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

function skipSpace(text: string, from: number): number {
  const space = /\s*/y;
  space.lastIndex = from;
  space.test(text);
  return space.lastIndex;
}

/** Behind the bracket that closes the one at `start`; null when none does, when it is no bracket or too deep to be read. */
function endOfValue(text: string, start: number): number | null {
  const { deepest, end } = bracketsFrom(text, start);
  return deepest > MAX_NESTING ? null : end;
}

/** JSON.stringify could not write a value that is nested more deeply: it runs out of stack. */
export const MAX_NESTING = 200;

/** Whether a JSON value is nested too deeply. Goes no deeper than that, so it cannot run out of stack. */
export function isNestedTooDeeply(value: unknown): boolean {
  return isDeeperThan(MAX_NESTING, value);
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const part of value) if (isDeeperThan(levels - 1, part)) return true;
    return false;
  }
  // Without a list of the values: records of files are looked through one after the other.
  for (const name in value) {
    if (Object.hasOwn(value, name) && isDeeperThan(levels - 1, Reflect.get(value, name))) return true;
  }
  return false;
}

/**
 * Follows the brackets of a JSON text from an opening one to its closing one, without parsing: the engine takes very
 * long on deep nesting. Ends where nesting is too deep to be read. `end` is behind the closing bracket; null when there is
 * none, or when the text does not start with an opening one. Takes linear time.
 */
export function bracketsFrom(text: string, start: number) {
  let depth = 0;
  let deepest = 0;
  for (let index = start; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      if (depth > deepest) deepest = depth;
      if (depth > MAX_NESTING) break;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return { deepest, end: index + 1 };
    }
    if (depth <= 0) break;
  }
  return { deepest, end: null };
}

/** The index of the quote that ends the JSON string at `start`, or the end of the text. */
export function endOfString(text: string, start: number): number {
  let index = text.indexOf('"', start + 1);
  while (index >= 0 && isEscaped(text, index)) index = text.indexOf('"', index + 1);
  return index < 0 ? text.length : index;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
  return slashes % 2 === 1;
}

const QUOTE = 34;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

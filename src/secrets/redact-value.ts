import type { RedactText } from './redact-text.ts';
import { isSecretUnder } from './secret-names.ts';
import { isDocumentField, isDocumentWord } from './vocabulary.ts';

const MARKER = '[REDACTED:secret]';
/** JSON of this depth is an attack, not an argument, and would exhaust the stack of whoever writes it. */
const DEEPEST = 200;

/**
 * A JSON value without secrets: in its strings, in its keys, and whole strings whose key says that they are secret.
 * What has none comes back as it is, not as a copy.
 */
export function redactValue<T>(value: T, redactText: RedactText): T {
  const ancestors = new Set<object>();

  function redact(part: unknown, name: string | null): unknown {
    if (typeof part === 'string') {
      if (name === null) return redactText(part);
      return isSecretUnder(name, part) ? MARKER : isDocumentWord(name, part) ? part : redactText(part);
    }
    if (typeof part === 'bigint') return part.toString();
    if (typeof part !== 'object' || part === null) return part;
    if (ancestors.has(part)) return '[circular]';
    if (ancestors.size >= DEEPEST) return '[nested too deeply to be recorded]';
    ancestors.add(part);
    const redacted = Array.isArray(part) ? redactList(part, name) : redactObject(part);
    ancestors.delete(part);
    return redacted;
  }

  /** The strings of a list are under the list's name. */
  function redactList(list: readonly unknown[], name: string | null): unknown {
    const redacted = list.map((part) => redact(part, name));
    return redacted.some((part, index) => part !== list[index]) ? redacted : list;
  }

  function redactObject(object: object): unknown {
    const entries = Object.entries(object);
    const pairName = nameOfPair(object);
    let changed = false;
    const taken = new Set<string>();
    const redacted = entries.map(([key, part]): [string, unknown] => {
      const safeKey = unusedKey(isDocumentField(key) ? key : redactText(key), taken);
      const safePart = redact(part, key === 'value' && pairName !== null ? pairName : key);
      if (safeKey !== key || safePart !== part) changed = true;
      return [safeKey, safePart];
    });
    // fromEntries defines keys, so that even `__proto__` is only a key.
    return changed ? Object.fromEntries(redacted) : object;
  }

  // The walk replaces strings by strings and leaves every other part of T in place.
  return redact(value, null) as T;
}

/** Headers, form fields and variables often come as `{name: "API_KEY", value: "..."}`. */
function nameOfPair(object: object): string | null {
  if (!('value' in object)) return null;
  const name = 'name' in object ? object.name : 'key' in object ? object.key : null;
  return typeof name === 'string' ? name : null;
}

/** Two keys that were different must not become one. */
function unusedKey(key: string, taken: Set<string>): string {
  let unused = key;
  for (let copy = 2; taken.has(unused); copy++) unused = `${key} (${copy})`;
  taken.add(unused);
  return unused;
}

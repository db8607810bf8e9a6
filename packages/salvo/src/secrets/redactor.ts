import { isDocumentField, isDocumentWord } from './document-words.ts';
import { createTextRedactor, type RedactText } from './redact-text.ts';
import { isSecretUnder } from './secret-names.ts';

export interface RedactionOptions {
  /** Regular expressions (RE2 syntax) of the project: `custom_redaction_patterns`. */
  customPatterns: readonly string[];
  /** Values that must not appear anywhere, such as the API keys in use. Those under 6 characters are ignored. */
  secrets: readonly string[];
}

/** Takes secrets out of what is about to be stored. Idempotent, and never changes what has no secret in it. */
export interface Redactor {
  text: RedactText;
  /** Any JSON value: also whole strings under a key such as `password`, and secrets inside keys. `name` is its own. */
  value<T>(json: T, name?: string | null): T;
  /** The key of a map, which stays when it is a field of Salvo's own documents. */
  key(key: string): string;
}

export function createRedactor(options: RedactionOptions): Redactor {
  const text = createTextRedactor(options);
  const key = (name: string): string => (isDocumentField(name) ? name : text(name));
  return { text, key, value: (json, name = null) => redactValue(json, name, { text, key }) };
}

const MARKER = '[REDACTED:secret]';
/** Deeper JSON is an attack, not an argument, and would exhaust the stack of JSON.stringify. */
const DEEPEST = 200;

/** A value without secrets comes back as it is, not as a copy. */
function redactValue<T>(value: T, name: string | null, { text, key }: Pick<Redactor, 'text' | 'key'>): T {
  const ancestors = new Set<object>();

  function redact(part: unknown, partName: string | null): unknown {
    if (typeof part === 'string') {
      if (partName === null) return text(part);
      return isSecretUnder(partName, part) ? MARKER : isDocumentWord(partName, part) ? part : text(part);
    }
    if (typeof part === 'bigint') return part.toString();
    if (typeof part !== 'object' || part === null) return part;
    if (ancestors.has(part)) return '[circular]';
    if (ancestors.size >= DEEPEST) return '[nested too deeply to be recorded]';
    ancestors.add(part);
    const redacted = Array.isArray(part) ? redactList(part, partName) : redactObject(part);
    ancestors.delete(part);
    return redacted;
  }

  /** The strings of a list have the list's name. */
  function redactList(list: readonly unknown[], listName: string | null): unknown {
    const redacted = list.map((part) => redact(part, listName));
    return redacted.some((part, index) => part !== list[index]) ? redacted : list;
  }

  function redactObject(object: object): unknown {
    const pairName = nameOfPair(object);
    return mapEntries(object, (partKey, part) => [
      key(partKey),
      redact(part, partKey === 'value' && pairName !== null ? pairName : partKey),
    ]);
  }

  // The walk replaces strings by strings and leaves every other part of T in place.
  return redact(value, name) as T;
}

/** Headers, form fields and variables often come as `{name: "API_KEY", value: "..."}`. */
function nameOfPair(object: object): string | null {
  if (!('value' in object)) return null;
  const name = 'name' in object ? object.name : 'key' in object ? object.key : null;
  return typeof name === 'string' ? name : null;
}

/**
 * The object with other entries; null leaves one out. The object itself when nothing changes. Two keys that were
 * different never become one.
 */
export function mapEntries(object: object, change: (key: string, part: unknown) => [string, unknown] | null): object {
  const entries: [string, unknown][] = Object.entries(object);
  const taken = new Set<string>();
  const changed: [string, unknown][] = [];
  let isSame = true;
  for (const [key, part] of entries) {
    const [newKey, newPart] = change(key, part) ?? [null, null];
    isSame &&= newKey === key && newPart === part;
    if (newKey !== null) changed.push([unusedKey(newKey, taken), newPart]);
  }
  // fromEntries defines keys, so that even `__proto__` is only a key.
  return isSame ? object : Object.fromEntries(changed);
}

function unusedKey(key: string, taken: Set<string>): string {
  let unused = key;
  for (let copy = 2; taken.has(unused); copy++) unused = `${key} (${copy})`;
  taken.add(unused);
  return unused;
}

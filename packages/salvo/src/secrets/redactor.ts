import { isRecord } from '../text/json/is-record.ts';
import { mapEntries, mapList } from '../text/json/map-json.ts';
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
  const walk: Walk = { text, key, ancestors: [] };
  // The walk replaces strings by strings and leaves every other part of T in place.
  return { text, key, value: <T>(json: T, name: string | null = null) => redactPart(json, name, walk) as T };
}

const MARKER = '[REDACTED:secret]';
/** Deeper JSON is an attack, not an argument, and would exhaust the stack of JSON.stringify. */
const DEEPEST = 200;

interface Walk extends Pick<Redactor, 'text' | 'key'> {
  /** The objects around the part that is being redacted; none before and after a walk. */
  ancestors: object[];
}

/** A value without secrets comes back as it is, not as a copy. */
function redactPart(part: unknown, name: string | null, walk: Walk): unknown {
  if (typeof part === 'string') {
    if (name === null) return walk.text(part);
    return isSecretUnder(name, part) ? MARKER : isDocumentWord(name, part) ? part : walk.text(part);
  }
  if (typeof part === 'bigint') return part.toString();
  if (!Array.isArray(part) && !isRecord(part)) return part;
  const { ancestors } = walk;
  if (ancestors.includes(part)) return '[circular]';
  if (ancestors.length >= DEEPEST) return '[nested too deeply to be recorded]';
  ancestors.push(part);
  try {
    // The strings of a list have the list's name.
    return Array.isArray(part) ? mapList(part, (inner) => redactPart(inner, name, walk)) : redactObject(part, walk);
  } finally {
    ancestors.pop();
  }
}

function redactObject(object: Record<string, unknown>, walk: Walk): unknown {
  const pairName = nameOfPair(object);
  return mapEntries(
    object,
    (key, part) => redactPart(part, key === 'value' && pairName !== null ? pairName : key, walk),
    walk.key,
  );
}

/** Headers, form fields and variables often come as `{name: "API_KEY", value: "..."}`. */
function nameOfPair(object: object): string | null {
  if (!('value' in object)) return null;
  const name = 'name' in object ? object.name : 'key' in object ? object.key : null;
  return typeof name === 'string' ? name : null;
}

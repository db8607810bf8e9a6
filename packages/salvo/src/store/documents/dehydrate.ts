import { hash } from 'node:crypto';
import { isRecord } from '../../text/json/is-record.ts';
import { mapEntries, mapList } from '../../text/json/map-json.ts';

/** A document as JSON text in which long strings are references, and the strings that belong to them. */
export interface Dehydrated {
  document: string;
  /** By reference: the sha256 of the text in base64url. */
  blobs: Map<string, string>;
}

/** Shorter strings take less space in the document than a reference and its row. */
const LONG = 100;

/**
 * In a stored document `~` marks encoded strings: `~~...` is a text that starts with `~` itself, `~` and a hash is a
 * reference to a blob.
 */
const MARK = '~';

/**
 * Takes long strings out of a JSON value, so that a store keeps the same system prompt once and not once per trial.
 * `hydrate` is the exact inverse.
 */
export function dehydrate(value: unknown): Dehydrated {
  const blobs = new Map<string, string>();
  const document = JSON.stringify(withReferences(value, blobs));
  return { document: document ?? 'null', blobs };
}

/** The value itself if nothing in it is encoded. Much faster than a replacer, which is called for every value. */
function withReferences(value: unknown, blobs: Map<string, string>): unknown {
  if (typeof value === 'string') {
    if (value.length > LONG && isPlain(value)) {
      const reference = referenceOf(value);
      blobs.set(reference, value);
      return MARK + reference;
    }
    return value.startsWith(MARK) ? MARK + value : value;
  }
  if (Array.isArray(value)) return mapList(value, (part) => withReferences(part, blobs));
  if (!isRecord(value)) return value;
  const toJson = value.toJSON;
  if (typeof toJson === 'function') return withReferences(Reflect.apply(toJson, value, []), blobs);
  return mapEntries(value, (_key, part) => withReferences(part, blobs));
}

/** The same few prompts and answers of tools are in every trial: their hashes are remembered, each in one place. */
const PLACES = 64;
const LONGEST_REMEMBERED = 16_384;
const remembered = new Array<{ text: string; reference: string } | undefined>(PLACES);

function referenceOf(text: string): string {
  const place = (text.length + text.charCodeAt(text.length >> 1)) % PLACES;
  const known = remembered[place];
  if (known?.text === text) return known.reference;
  const reference = hash('sha256', text, 'base64url');
  if (text.length <= LONGEST_REMEMBERED) remembered[place] = { text, reference };
  return reference;
}

/** The id of a trace is its content: 128 bits of the hash of its stored form, in which long texts are hashes themselves. */
export function traceIdOf({ document }: Dehydrated): string {
  return hash('sha256', document, 'hex').slice(0, 32);
}

const REFERENCE = /"~([A-Za-z0-9_-]{43})"/g;

/** The references in a stored document. A text that only looks like one may be among them. */
export function referencesIn(document: string): string[] {
  return Array.from(document.matchAll(REFERENCE), ([, reference = '']) => reference);
}

/** `lookup` gives the text of a reference and throws when there is none. */
export function hydrate(document: string, lookup: (reference: string) => string): unknown {
  const value: unknown = JSON.parse(document);
  return document.includes(`"${MARK}`) ? restore(value, lookup) : value;
}

/**
 * NULs and lone surrogates have no safe form as a database's text (and lone surrogates no hash of their own): such
 * strings stay in the document, where JSON escapes them.
 */
function isPlain(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Changes the value in place, which was just parsed. Faster than a reviver, which rebuilds every value. */
function restore(value: unknown, lookup: (reference: string) => string): unknown {
  if (typeof value === 'string') {
    if (!value.startsWith(MARK)) return value;
    return value.startsWith(MARK, 1) ? value.slice(1) : lookup(value.slice(1));
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = restore(value[index], lookup);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      const restored = restore(part, lookup);
      // Defined, not assigned: a key can be `__proto__`.
      if (restored !== part) Object.defineProperty(value, key, { value: restored });
    }
  }
  return value;
}

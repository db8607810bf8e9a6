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
const MARK_CODE = MARK.charCodeAt(0);

/**
 * Takes long strings out of a JSON value, so that a store keeps the same system prompt once and not once per trial.
 * `hydrate` is the exact inverse.
 */
export function dehydrate(value: unknown): Dehydrated {
  const blobs = new Map<string, string>();
  // Made once for the whole document: it has many objects and lists.
  const ofPart = (part: unknown): unknown => withReferences(part, walk);
  const walk: Walk = { blobs, ofPart, ofEntry: (_key, part) => ofPart(part) };
  const document = JSON.stringify(ofPart(value));
  return { document: document ?? 'null', blobs };
}

interface Walk {
  blobs: Map<string, string>;
  ofPart: (part: unknown) => unknown;
  ofEntry: (key: string, part: unknown) => unknown;
}

/** The value itself if nothing in it is encoded. Much faster than a replacer, which is called for every value. */
function withReferences(value: unknown, walk: Walk): unknown {
  if (typeof value === 'string') {
    const long = value.length > LONG ? referenceOf(value) : null;
    if (long === null) return value.charCodeAt(0) === MARK_CODE ? MARK + value : value;
    walk.blobs.set(long.reference, value);
    return long.marked;
  }
  if (Array.isArray(value)) return mapList(value, walk.ofPart);
  if (!isRecord(value)) return value;
  const toJson = value.toJSON;
  if (typeof toJson === 'function') return walk.ofPart(Reflect.apply(toJson, value, []));
  return mapEntries(value, walk.ofEntry);
}

interface LongText {
  reference: string;
  /** As it stands in the document. */
  marked: string;
}

/** The same few prompts and answers of tools are in every trial: what was found out about them is remembered. */
const remembered = new Map<string, LongText>();
const MOST_REMEMBERED = 64;
const LONGEST_REMEMBERED = 16_384;

/** Null if the text has to stay in the document. */
function referenceOf(text: string): LongText | null {
  const known = remembered.get(text);
  if (known) return known;
  if (!isPlain(text)) return null;
  const reference = hash('sha256', text, 'base64url');
  const long = { reference, marked: MARK + reference };
  if (text.length > LONGEST_REMEMBERED) return long;
  if (remembered.size === MOST_REMEMBERED) remembered.clear();
  remembered.set(text, long);
  return long;
}

const TRACE_ID_DIGITS = 32;
const TIME_DIGITS = 5;
/** The digits begin again after 18 hours, which does no harm. */
const TIME_STEP_MS = 64;

/**
 * The id of a trace is its content: its time, and the hash of its stored form, in which long texts are hashes themselves.
 * Traces of one moment have neighbouring ids. So a transaction writes to one place of each index, and not to as many pages
 * as it has traces.
 */
export function traceIdOf({ document }: Dehydrated, { timestamp }: { timestamp: string }): string {
  const steps = Math.floor(Date.parse(timestamp) / TIME_STEP_MS);
  // Unsigned, so that any time has digits; 0 if it is none.
  const time = (steps >>> 0).toString(16).padStart(TIME_DIGITS, '0').slice(-TIME_DIGITS);
  return time + hash('sha256', document, 'hex').slice(0, TRACE_ID_DIGITS - TIME_DIGITS);
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

import { hash } from 'node:crypto';
import { isRecord } from './is-record.ts';

/**
 * JSON in which the keys of every map are sorted, so that equal values have equal texts. Leaves out what JSON leaves
 * out. Hashes of stored documents depend on it: its output must never change.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortedCopy(value)) ?? 'null';
}

/** The sha256 of a value's canonical JSON, in hex. */
export function contentHash(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'hex');
}

/** With the keys of every map sorted; an object has whole numbers first, by their value. */
function sortedCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedCopy);
  if (!isRecord(value)) return value;
  // Agents in this process can return a Date, which has no keys of its own.
  const toJson = value.toJSON;
  if (typeof toJson === 'function') return orNull(sortedCopy(Reflect.apply(toJson, value, [])));
  const sorted: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    const part = sortedCopy(value[key]);
    if (key === '__proto__') Object.defineProperty(sorted, key, { value: part, enumerable: true });
    else sorted[key] = part;
  }
  return sorted;
}

function orNull(json: unknown): unknown {
  return json === undefined || typeof json === 'function' || typeof json === 'symbol' ? null : json;
}

import { hash } from 'node:crypto';

/**
 * JSON in which the keys of every map are sorted, so that equal values have equal texts. Leaves out what JSON leaves
 * out. Hashes of stored documents depend on it: its output must never change.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  // Agents in this process can return a Date, which has no keys of its own.
  const toJson: unknown = Reflect.get(value, 'toJSON');
  if (typeof toJson === 'function') return canonicalJson(Reflect.apply(toJson, value, []));
  let json = '';
  for (const key of sortedKeys(value)) {
    const part: unknown = Reflect.get(value, key);
    if (part === undefined || typeof part === 'function' || typeof part === 'symbol') continue;
    json += `${json === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(part)}`;
  }
  return `{${json}}`;
}

/** The sha256 of a value's canonical JSON, in hex. */
export function contentHash(value: unknown): string {
  return hash('sha256', canonicalJson(value), 'hex');
}

/** As an object made of sorted entries has them: whole numbers first, by their value. */
function sortedKeys(object: object): string[] {
  const keys = Object.keys(object).sort();
  if (!keys.some((key) => /^\d/.test(key))) return keys;
  return Object.keys(Object.fromEntries(keys.map((key) => [key, null])));
}

import { createHash } from 'node:crypto';

/** A name for content: the same for the same, in whatever order the fields of an object stand. */
export function contentHash(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content, withSortedKeys)).digest('hex').slice(0, 16);
}

function withSortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

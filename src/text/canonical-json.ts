import { isRecord } from './is-record.ts';

/** JSON with the keys of every map in order: equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => (isRecord(item) ? sorted(item) : item)) ?? 'null';
}

function sorted(map: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}

import { isRecord } from '../../text/is-record.ts';
import type { Document } from './read-document.ts';

/**
 * The entries of a list of vulnerabilities or findings: a bare list, JSON Lines, or an object that holds the list
 * under one of the keys, at most one more such key deep. Null when there is none.
 */
export function entriesOf(document: Document, keys: readonly string[]): readonly unknown[] | null {
  if ('values' in document) return document.values.length === 1 ? listIn(document.values[0], keys) : document.values;
  return listIn(document.value, keys);
}

function listIn(value: unknown, keys: readonly string[]): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return null;
  const key = keyIn(value, keys);
  if (key === undefined) return isEntry(value) ? [value] : null;
  const held = value[key];
  if (!isRecord(held)) return listOrNull(held);
  const inner = keyIn(held, keys);
  return inner === undefined ? null : listOrNull(held[inner]);
}

/** The key of a list goes before that of an object, which may merely describe it. */
function keyIn(value: Record<string, unknown>, keys: readonly string[]): string | undefined {
  const present = keys.filter((key) => Object.hasOwn(value, key));
  return present.find((key) => Array.isArray(value[key])) ?? present[0];
}

/** Some languages write an empty list as null. */
function listOrNull(value: unknown): readonly unknown[] | null {
  if (value === null) return [];
  return Array.isArray(value) ? value : null;
}

const WHAT = ['type', 'vulnerability_type', 'vuln_type', 'title', 'description', 'rule_id', 'rule_ids'];
const WHERE = ['resource', 'resource_name', 'target_resource', 'severity', 'file', 'line', 'line_number_estimate'];

/** Whether an object is itself a vulnerability or a finding: it says what is wrong, and where or how bad. */
export function isEntry(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  return WHAT.some((key) => Object.hasOwn(value, key)) && WHERE.some((key) => Object.hasOwn(value, key));
}

import { isRecord, kindOfValue } from 'salvo/kit/text';
import { JudgeError, type JudgeErrorCode } from '../claims/judge-error.ts';
import type { Document } from './read-document.ts';

/**
 * The entries of a list of vulnerabilities or findings: a bare list, JSON Lines, or an object that holds the list
 * under one of the keys, at most one more such key deep. Null when there is none.
 */
export function entriesOf(document: Document, keys: readonly string[]): readonly unknown[] | null {
  if ('values' in document) return document.values.length === 1 ? listIn(document.values[0], keys) : document.values;
  return listIn(document.value, keys);
}

/** The entries of a list, which must be objects. `name` is what messages call the list. */
export function requireRecords(
  entries: readonly unknown[],
  code: JudgeErrorCode,
  name: string,
): readonly Record<string, unknown>[] {
  return entries.map((entry, index) => {
    if (isRecord(entry)) return entry;
    throw new JudgeError(
      code,
      `${name}[${index}] is ${kindOfValue(entry)}. Make every entry an object, such as {"type": "encryption", "resource": "aws_s3_bucket.data"}.`,
    );
  });
}

function listIn(value: unknown, keys: readonly string[]): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return null;
  const key = presentKey(value, keys);
  if (key === undefined) return isEntry(value) ? [value] : null;
  const held = value[key];
  if (!isRecord(held)) return listOrNull(held);
  const inner = presentKey(held, keys);
  return inner === undefined ? null : listOrNull(held[inner]);
}

/** A key that holds a list wins over one that holds an object, which may merely describe the list. */
function presentKey(value: Record<string, unknown>, keys: readonly string[]): string | undefined {
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

/** Whether an object is itself a vulnerability or a finding: it says what is wrong, and where or how severe it is. */
export function isEntry(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  return WHAT.some((key) => Object.hasOwn(value, key)) && WHERE.some((key) => Object.hasOwn(value, key));
}

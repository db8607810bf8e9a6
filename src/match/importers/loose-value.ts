import { isRecord } from '../../text/is-record.ts';
import { kindOfValue } from '../../text/value-words.ts';
import { JudgeError } from '../claims/judge-error.ts';

type Loose = Record<string, unknown>;

/** A text that says something; undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return text === '' ? undefined : text;
}

/** The first of several values that is a text. */
export function firstText(...values: unknown[]): string | undefined {
  for (const value of values) {
    const text = textOf(value);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The texts of a list, or of a single value. */
export function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map(textOf).filter((text) => text !== undefined);
}

/** A line number from 1, also when it is written as a text; scanners write 0 or -1 for «don't know». */
export function lineOf(value: unknown): number | undefined {
  const line = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof line === 'number' && Number.isSafeInteger(line) && line > 0 ? line : undefined;
}

/** An object to look into: without fields when the value is none. */
export function recordOf(value: unknown): Loose {
  return isRecord(value) ? value : {};
}

/** A list to look into: empty when the value is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** An entry of a list that is referred to by its index; without fields when there is none. */
export function entryAt(list: unknown, index: unknown): Loose {
  return typeof index === 'number' ? recordOf(listOf(list)[index]) : {};
}

/**
 * The entries of a list on which the outcome depends. A missing list is an empty one, as scanners write it; anything
 * else that is not a list of objects is refused, since to skip it would be to lose findings.
 */
export function recordsOf(value: unknown, path: string): Loose[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw notThe(path, 'a list', value);
  return value.map((entry, index) => {
    if (!isRecord(entry)) throw notThe(`${path}[${index}]`, 'an object', entry);
    return entry;
  });
}

function notThe(path: string, wanted: string, value: unknown): JudgeError {
  return new JudgeError('bad_findings', `${path} is ${kindOfValue(value)}, not ${wanted}: the report is damaged.`);
}

import { isRecord } from '../../text/json/is-record.ts';
import { milliseconds } from '../../trace/forms/recorded/recorded-step.ts';

type Fields = Record<string, unknown>;

/** The first of these fields that has a text or a number, as text. */
export function textOf(record: Fields, ...names: string[]): string | null {
  for (const name of names) {
    const value = record[name];
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  }
  return null;
}

/** A number; also one that is written as a text, as exported tables have it. Null for anything that is not finite. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** An amount of money, of time or of tokens, which cannot be negative. */
export function amountOf(value: unknown): number | null {
  const number = numberOf(value);
  return number !== null && number >= 0 ? number : null;
}

/** The number of a trial, which is whole and not negative. */
export function trialOf(value: unknown): number | null {
  const number = numberOf(value);
  return number !== null && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

/** A time as ISO 8601; null if it is none. */
export function isoTimeOf(value: unknown): string | null {
  const time = milliseconds(value);
  return time === null ? null : new Date(time).toISOString();
}

/** An object that is a field; an empty one if the field is something else. */
export function recordIn(record: Fields, name: string): Fields {
  const value = record[name];
  return isRecord(value) ? value : {};
}

/** A list that is a field; an empty one if the field is something else. */
export function listIn(record: Fields, name: string): readonly unknown[] {
  const value = record[name];
  return Array.isArray(value) ? value : [];
}

/** The fields without some of them. */
export function fieldsWithout(record: Fields, names: ReadonlySet<string>): Fields {
  const kept: [string, unknown][] = [];
  for (const name of Object.keys(record)) if (!names.has(name)) kept.push([name, record[name]]);
  return kept.length === 0 ? {} : Object.fromEntries(kept);
}

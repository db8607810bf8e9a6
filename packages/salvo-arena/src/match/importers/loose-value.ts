import { isRecord, kindOfValue } from 'salvo/kit/text';
import { JudgeError } from '../claims/judge-error.ts';

/** An object of a report, whose fields may be anything. */
export type Loose = Record<string, unknown>;

/** A trimmed text; undefined when it is empty or not a text. */
export function asText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return text === '' ? undefined : text;
}

/** The first of several values that is a text and not empty. */
export function firstText(...values: unknown[]): string | undefined {
  for (const value of values) {
    const text = asText(value);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The texts of a list, or of a single value. */
export function asTexts(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map(asText).filter((text) => text !== undefined);
}

/** A line number from 1, also from a text; undefined for 0 and -1, which scanners write for an unknown line. */
export function asLine(value: unknown): number | undefined {
  const line = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return typeof line === 'number' && Number.isSafeInteger(line) && line > 0 ? line : undefined;
}

/** The value as an object; an empty one when it is not an object. */
export function asRecord(value: unknown): Loose {
  return isRecord(value) ? value : {};
}

/** The value as a list; an empty one when it is not a list. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The entry at an index of a list; an empty object when there is none. */
export function entryAt(list: unknown, index: unknown): Loose {
  return typeof index === 'number' ? asRecord(asList(list)[index]) : {};
}

/** The reports of a document that is one report or a list of them. */
export function asReports(report: unknown): readonly unknown[] {
  return Array.isArray(report) ? report : [report];
}

/**
 * The entries of a list of findings. A missing list counts as empty, since scanners leave it out. Anything else that is
 * not a list of objects is refused, because skipping it would lose findings.
 */
export function recordsAt(value: unknown, path: string): Loose[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw damaged(path, 'a list', value);
  return value.map((entry, index) => {
    if (!isRecord(entry)) throw damaged(`${path}[${index}]`, 'an object', entry);
    return entry;
  });
}

function damaged(path: string, wanted: string, value: unknown): JudgeError {
  return new JudgeError('FINDINGS_INVALID', `${path} is ${kindOfValue(value)}, not ${wanted}: the report is damaged.`);
}

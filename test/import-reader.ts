import type { FileRecord, ImportedConversation, ImportFormat } from '../packages/salvo/src/imports/import-format.ts';
import { isRecord } from '../packages/salvo/src/text/json/is-record.ts';
import { FormError } from '../packages/salvo/src/trace/forms/form-error.ts';
import { traceSchema } from '../packages/salvo/src/trace/trace.ts';

/** What a format reads from records, of which each is on a line of its own. */
export function readValues(format: ImportFormat, ...values: unknown[]): ImportedConversation[] {
  return [...format.read(values.map((value, index) => ({ value, line: index + 1 })))];
}

/** The first conversation that a format reads from records. */
export function readValue(format: ImportFormat, ...values: unknown[]): ImportedConversation {
  const [conversation] = readValues(format, ...values);
  if (!conversation) throw new Error('nothing was read');
  return conversation;
}

export const rolesOf = ({ trace }: ImportedConversation) => trace.messages.map(({ role }) => role);
export const callsOf = ({ trace }: ImportedConversation) =>
  trace.tool_calls_made.map(({ name, result, is_error }) => [name, result, is_error]);

/** The conversations of one value with parts of traces, which begins on line 7. */
export function readRecord(format: ImportFormat, value: unknown): ImportedConversation[] {
  return readRecords(format, [{ value, line: 7 }]);
}

/** The conversations of records with parts of traces, as they are after the parts of each trace were put together. */
export function readRecords(format: ImportFormat, records: readonly FileRecord[]): ImportedConversation[] {
  const parts = records.flatMap((record) => [...(format.partsOf?.(record) ?? [])]);
  const traces = Map.groupBy(parts, ({ key }) => key);
  return [...traces.values()].flatMap((own) => [...format.read(own.map(({ part }) => part))]);
}

const WRONG = [null, -7, 'NaN', [null], {}];

/**
 * Puts a wrong value into every place of a record, and leaves out every field: the reader must read it, or say with a
 * `FormError` that it cannot. What it reads is a valid trace. Returns how many records were tried.
 */
export function expectToSurviveDamage(format: ImportFormat, value: unknown): number {
  const damaged = pathsOf(value).flatMap((path, index) => {
    return [undefined, WRONG[index % WRONG.length]].map((wrong) => replaced(value, path, wrong));
  });
  for (const record of [...WRONG, ...damaged]) {
    format.recognises(record);
    let read: ImportedConversation[] = [];
    try {
      read = format.unit === 'parts' ? readRecord(format, record) : readValues(format, record);
    } catch (error) {
      if (!(error instanceof FormError)) throw error;
    }
    for (const { trace, trial, given } of read) {
      traceSchema.parse(trace);
      const isRight = (trial === null || Number.isSafeInteger(trial)) && Number.isFinite(given?.reward ?? 0);
      if (!isRight) throw new Error(`${trial} or ${given?.reward} is wrong for ${JSON.stringify(record)}`);
    }
  }
  return damaged.length;
}

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  const inner: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : isRecord(value)
      ? Object.entries(value)
      : [];
  return inner.flatMap(([key, part]) => [[...path, key], ...pathsOf(part, [...path, key])]);
}

function replaced(value: unknown, [key, ...rest]: Path, wrong: unknown): unknown {
  if (key === undefined) return wrong;
  if (Array.isArray(value)) return value.map((part, index) => (index === key ? replaced(part, rest, wrong) : part));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([name, part]) => [
    name,
    name === key ? replaced(part, rest, wrong) : part,
  ]);
  return Object.fromEntries(entries.filter(([, part]) => part !== undefined));
}

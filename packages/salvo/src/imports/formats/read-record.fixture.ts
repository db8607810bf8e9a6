import type { FileRecord, ImportedConversation, ImportFormat } from '../import-format.ts';

/** The conversations of one value that begins on line 7. */
export function readRecord(format: ImportFormat, value: unknown): ImportedConversation[] {
  return readRecords(format, [{ value, line: 7 }]);
}

/** The conversations of records, as they are after the parts of each trace were put together. */
export function readRecords(format: ImportFormat, records: readonly FileRecord[]): ImportedConversation[] {
  const parts = records.flatMap((record) => [...(format.partsOf?.(record) ?? [])]);
  const traces = Map.groupBy(parts, ({ key }) => key);
  return [...traces.values()].flatMap((own) => [...format.read(own.map(({ part }) => part))]);
}

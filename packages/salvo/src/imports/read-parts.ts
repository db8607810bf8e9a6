import type { FileRecord, ImportFormat } from './import-format.ts';
import type { ByteParts, ByteSource } from './input/byte-source.ts';
import { fileRecords, type Layout, LONGEST_DOCUMENT } from './input/file-records.ts';
import { parsePiece } from './input/parse-piece.ts';
import { PartIndex, type PartPlace } from './input/part-index.ts';
import { problemOf, type ReadItem, readWith } from './read-with.ts';
import { describeRecord } from './recognise.ts';

/** Records that many traces have in common are parsed once as long as they follow each other. */
const MOST_KEPT = 8;

/**
 * The traces of a file whose records are parts of them, such as spans. It is read twice: first to find out where the parts
 * of each trace are, then trace by trace.
 */
export async function* readParts(source: ByteSource, layout: Layout, format: ImportFormat): AsyncGenerator<ReadItem> {
  const { partsOf } = format;
  if (!partsOf) throw new TypeError(`the format ${format.name} does not say what its parts belong to`);
  const index = new PartIndex();
  for await (const records of fileRecords(source, { layout })) {
    for (const record of records) {
      const problem = 'problem' in record ? record.problem : addTo(index, record, format);
      if (problem !== null) yield { lost: { line: record.line, problem } };
    }
  }
  await using bytes = await source.openParts();
  const groups = new PartGroups(bytes, format);
  for (const key of index.keys()) {
    const places = [...index.placesOf(key)];
    const length = places.reduce((sum, place) => sum + place.length, 0);
    // A record with many traces counts once for each of them, and is kept in memory anyway.
    if (places.length > 1 && length > LONGEST_DOCUMENT) {
      yield { lost: { line: places[0]?.line ?? 0, problem: 'begins a trace that is too large to be read' } };
      continue;
    }
    const parts: FileRecord[] = [];
    for (const place of places) parts.push(...(await groups.partsAt(place, key)));
    yield* readWith(format, parts);
  }
}

/** Returns what is wrong with a record; null if its parts are in the index now. */
function addTo(index: PartIndex, record: FileRecord & PartPlace, format: ImportFormat): string | null {
  try {
    let isEmpty = true;
    for (const { key } of format.partsOf?.(record) ?? []) {
      index.add(key, record);
      isEmpty = false;
    }
    if (isEmpty && !format.recognises(record.value))
      return `is no part of ${format.title}: it is ${describeRecord(record.value)}`;
    return null;
  } catch (error) {
    return `could not be read as ${format.title}: ${problemOf(error)}`;
  }
}

/** The parts of the records that were read last, by the traces that they belong to. */
class PartGroups {
  readonly #bytes: ByteParts;
  readonly #format: ImportFormat;
  /** By offset. */
  readonly #kept = new Map<number, Map<string, FileRecord[]>>();

  constructor(bytes: ByteParts, format: ImportFormat) {
    this.#bytes = bytes;
    this.#format = format;
  }

  async partsAt(place: PartPlace, key: string): Promise<FileRecord[]> {
    const groups = this.#kept.get(place.offset) ?? (await this.#read(place));
    return groups.get(key) ?? [];
  }

  async #read({ offset, length, line }: PartPlace): Promise<Map<string, FileRecord[]>> {
    const bytes = await this.#bytes.read(offset, length);
    const record = parsePiece({ line, offset, bytes });
    const groups = new Map<string, FileRecord[]>();
    if ('value' in record) {
      for (const { key, part } of this.#format.partsOf?.(record) ?? []) {
        const group = groups.get(key);
        if (group) group.push(part);
        else groups.set(key, [part]);
      }
    }
    // A record of one trace is not asked for again.
    if (groups.size > 1) this.#keep(offset, groups);
    return groups;
  }

  #keep(offset: number, groups: Map<string, FileRecord[]>): void {
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(offset, groups);
  }
}

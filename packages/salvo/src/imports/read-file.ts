import { open, readFile as readText, stat } from 'node:fs/promises';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { jsonOrUndefined } from '../text/json/json-in-text.ts';
import { conversationFormat } from './formats/conversation.ts';
import { FORMATS } from './formats.ts';
import type { FileRecord, ImportedConversation, ImportFormat } from './import-format.ts';
import type { ByteSource } from './input/byte-source.ts';
import { fileRecords, type Layout, LONGEST_DOCUMENT, layoutOf } from './input/file-records.ts';
import type { PlacedRecord } from './input/parse-piece.ts';
import type { Unreadable } from './input/pieces.ts';
import { type ListedFile, listedFile } from './listed-records.ts';
import { readParts } from './read-parts.ts';
import { type LostRecord, problemOf, type ReadItem, readWith } from './read-with.ts';
import { containedRecords, describeRecord, isMessage, recognise, saysSomething } from './recognise.ts';

/** Nothing in a file says what it is. */
export class UnknownFormatError extends SalvoError {
  readonly lost: LostRecord;

  constructor(file: string, { line, problem, hint }: LostRecord & { hint: string }) {
    const place = line > 0 ? `${file}:${line}` : file;
    super('IMPORT_FORMAT_UNKNOWN', `${place} ${problem}.${hint}`, line > 0 ? { location: { file, line } } : {});
    this.lost = { line, problem };
  }
}

export interface ReadFile {
  /** Null if nothing in the file says what it is. */
  format: ImportFormat | null;
  items: AsyncIterable<ReadItem>;
}

/** Opens a file: recognises its format, and reads its conversations as they are consumed. */
export async function readFile(source: ByteSource, given: ImportFormat | null): Promise<ReadFile> {
  const binary = await binaryFormat(source, given);
  if (binary?.readBytes) {
    const path = source.path ?? '';
    return { format: binary, items: guarded(binary, binary.readBytes(path)) };
  }
  const listed = await listedFile(source, { given });
  if (listed) return { format: listed.format, items: eachListed(listed) };
  const layout = await layoutOf(source);
  if (layout === null) throw notJson(source);
  const first = await firstRecord(source, layout);
  if (!first) return { format: given, items: lostOnly(source, layout) };
  if (given === null || given === conversationFormat) {
    if (isMessage(first.value)) return { format: conversationFormat, items: oneConversation(source, layout) };
  }
  const format = given ?? formatOf(first, source);
  if (format.unit === 'file') return { format, items: wholeFile(source, layout, format) };
  if (format.unit === 'parts') return { format, items: readParts(source, layout, format) };
  return { format, items: eachRecord(source, layout, { format, isGiven: given !== null }) };
}

const HEAD = 512;

async function binaryFormat(source: ByteSource, given: ImportFormat | null): Promise<ImportFormat | null> {
  if (source.path === null) return null;
  await using handle = await open(source.path);
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
  const head = buffer.subarray(0, bytesRead);
  const formats = given === null ? FORMATS : [given];
  return formats.find((format) => format.readBytes && format.recognisesBytes?.(head)) ?? null;
}

/** A file may begin with a few records of something else, such as lines of a log. */
const MOST_LOOKED_AT = 50;

/** The first record that has a known form; without one, the first that says anything. */
async function firstRecord(source: ByteSource, layout: Layout): Promise<FileRecord | null> {
  let first: FileRecord | null = null;
  let count = 0;
  for await (const records of fileRecords(source, { layout })) {
    for (const record of records) {
      if (!('value' in record) || !saysSomething(record.value)) continue;
      if (count >= MOST_LOOKED_AT || recognise(record.value)) return count >= MOST_LOOKED_AT ? first : record;
      first ??= record;
      count += 1;
    }
  }
  return first;
}

function formatOf({ value, line }: FileRecord, { name }: ByteSource): ImportFormat {
  const format = recognise(value);
  if (format) return format;
  const known = FORMATS.map((each) => each.name).join(', ');
  throw new UnknownFormatError(name, {
    ...{ line, problem: `is in no form that Salvo knows: it is ${describeRecord(value)}` },
    hint: ` Known are: ${known}. If it is one of them, name it: {option:format}.`,
  });
}

function notJson({ name, bytes }: ByteSource): SalvoError {
  const problem = bytes === 0 ? 'is empty' : 'begins neither with a JSON object nor with a list, so it cannot be read';
  return new UnknownFormatError(name, { line: 0, problem, hint: '' });
}

async function* lostOnly(source: ByteSource, layout: Layout): AsyncGenerator<ReadItem> {
  for await (const records of fileRecords(source, { layout })) {
    for (const record of records)
      yield { lost: 'problem' in record ? record : { line: record.line, problem: 'says nothing' } };
  }
}

/** Records that are conversations by themselves. Those of another format are recognised one by one. */
async function* eachRecord(
  source: ByteSource,
  layout: Layout,
  options: { format: ImportFormat; isGiven: boolean },
): AsyncGenerator<ReadItem> {
  for await (const records of fileRecords(source, { layout })) {
    for (const record of records) yield* itemsOf(record, options);
  }
}

/** The conversations of a document that is too large to be in memory as a whole. */
async function* eachListed({ format, records }: ListedFile): AsyncGenerator<ReadItem> {
  for await (const record of records) {
    if ('problem' in record) yield { lost: record };
    else yield* readWith(format, [record]);
  }
}

function* itemsOf(
  record: PlacedRecord | Unreadable,
  { format, isGiven }: { format: ImportFormat; isGiven: boolean },
): Generator<ReadItem> {
  if ('problem' in record) {
    yield { lost: record };
    return;
  }
  const isOfFile = isGiven || (format !== conversationFormat && format.recognises(record.value));
  const own = isOfFile ? format : recognise(record.value);
  if (own?.unit !== 'record') {
    const what = own ? `is a part of ${own.title}, and not of ${format.title}` : `is no part of ${format.title}`;
    yield { lost: { line: record.line, problem: `${what}: it is ${describeRecord(record.value)}` } };
    return;
  }
  const contained = own === conversationFormat ? containedRecords(record.value) : null;
  const records = contained?.map((value) => ({ value, line: record.line })) ?? [record];
  for (const each of records) yield* readWith(contained ? (recognise(each.value) ?? own) : own, [each]);
}

async function* guarded(
  format: ImportFormat,
  conversations: AsyncIterable<ImportedConversation>,
): AsyncGenerator<ReadItem> {
  try {
    for await (const conversation of conversations) yield { conversation, format };
  } catch (error) {
    yield { lost: { line: 0, problem: `could not be read to its end: ${problemOf(error)}` } };
  }
}

async function* wholeFile(source: ByteSource, layout: Layout, format: ImportFormat): AsyncGenerator<ReadItem> {
  const { records, lost } = await allRecords(source, layout);
  yield* lost.map((each) => ({ lost: each }));
  if (records.length > 0) yield* readWith(format, [...records, ...(await companionOf(source, format))]);
}

const LONGEST_COMPANION = 64 * 1024;

async function companionOf({ path }: ByteSource, format: ImportFormat): Promise<FileRecord[]> {
  const beside = path === null ? null : (format.companion?.(path) ?? null);
  const stats = beside === null ? null : await stat(beside).catch(() => null);
  if (beside === null || !stats?.isFile() || stats.size > LONGEST_COMPANION) return [];
  const value = jsonOrUndefined(await readText(beside, 'utf8').catch(() => ''));
  return value === undefined ? [] : [{ value, line: 0 }];
}

async function* oneConversation(source: ByteSource, layout: Layout): AsyncGenerator<ReadItem> {
  const { records, lost } = await allRecords(source, layout);
  yield* lost.map((each) => ({ lost: each }));
  const [first] = records;
  if (first) yield* readWith(conversationFormat, [{ value: records.map(({ value }) => value), line: first.line }]);
}

async function allRecords(source: ByteSource, layout: Layout) {
  const records: FileRecord[] = [];
  const lost: LostRecord[] = [];
  let length = 0;
  for await (const group of fileRecords(source, { layout })) {
    for (const record of group) {
      if ('problem' in record) {
        lost.push(record);
        continue;
      }
      length += record.length;
      if (length > LONGEST_DOCUMENT) throw tooLarge(source);
      records.push({ value: record.value, line: record.line });
    }
  }
  return { records, lost };
}

function tooLarge({ name }: ByteSource): SalvoError {
  const most = Math.round(LONGEST_DOCUMENT / 1024 / 1024);
  return new SalvoError('FILE_TOO_LARGE', `${name} is one conversation of more than ${most} MB, which cannot be read.`);
}

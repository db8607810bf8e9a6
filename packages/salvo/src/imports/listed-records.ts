import { isRecord } from '../text/json/is-record.ts';
import { FORMATS } from './formats.ts';
import type { FileRecord, ImportFormat } from './import-format.ts';
import type { ByteSource } from './input/byte-source.ts';
import { parsePiece } from './input/parse-piece.ts';
import { LONGEST_RECORD, type Unreadable } from './input/pieces.ts';
import { ListedElements, type ListHead } from './input/split-listed.ts';

/** A smaller document is read as a whole, with what follows its list. */
const LARGE = 16 * 1024 * 1024;

export interface ListedFile {
  format: ImportFormat;
  records: AsyncIterable<FileRecord | Unreadable>;
}

/**
 * A large file that is one document with a list of conversations: its records are the document with one of them at a time.
 * Null if it is none, or not large.
 */
export async function listedFile(
  source: ByteSource,
  { given, large = LARGE }: { given: ImportFormat | null; large?: number },
): Promise<ListedFile | null> {
  if (source.bytes < large) return null;
  const formats = given === null ? FORMATS : [given];
  const paths = formats.flatMap((format) => format.lists ?? []);
  if (paths.length === 0) return null;
  for await (const { value, path } of listedRecords(source, paths)) {
    const format = given ?? FORMATS.find((each) => each.recognises(value));
    return format?.lists?.includes(path) ? { format, records: listedRecords(source, paths) } : null;
  }
  return null;
}

type ListedRecord = (FileRecord | (Unreadable & { value?: undefined })) & { path: string };

async function* listedRecords(source: ByteSource, paths: readonly string[]): AsyncGenerator<ListedRecord> {
  const elements = new ListedElements(paths, LONGEST_RECORD);
  const documents = new ParsedHeads();
  for await (const chunk of source.chunks()) {
    for (const { piece, head } of elements.push(chunk)) {
      const { path } = head;
      const element = parsePiece(piece);
      const document = documents.get(head);
      if ('problem' in element) yield { ...element, path };
      else if ('problem' in document) yield { ...document, line: element.line, path };
      else yield { line: element.line, value: withElement(document.value, path.split('.'), element.value), path };
    }
    if (elements.isOver) return;
  }
  for (const { piece, head } of elements.end()) if ('problem' in piece) yield { ...piece, path: head.path };
}

/** Each document is parsed once for all of its elements. */
class ParsedHeads {
  #last: ListHead | null = null;
  #parsed: { value: Record<string, unknown> } | Unreadable = { value: {} };

  get(head: ListHead): { value: Record<string, unknown> } | Unreadable {
    if (head === this.#last) return this.#parsed;
    const { path, bytes } = head;
    const parsed = parsePiece({ line: 1, offset: 0, bytes });
    const isDocument = 'value' in parsed && isRecord(parsed.value);
    this.#last = head;
    this.#parsed = isDocument
      ? { value: { ...Object(parsed.value) } }
      : { line: 1, problem: `is in ${path} of a document that is not valid JSON before it` };
    return this.#parsed;
  }
}

/** The document with one element in its list. */
function withElement(
  head: Record<string, unknown>,
  [name = '', ...rest]: string[],
  element: unknown,
): Record<string, unknown> {
  const inner = head[name];
  return { ...head, [name]: rest.length === 0 || !isRecord(inner) ? [element] : withElement(inner, rest, element) };
}

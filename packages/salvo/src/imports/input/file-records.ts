import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { jsonOrUndefined } from '../../text/json/json-in-text.ts';
import type { ByteSource } from './byte-source.ts';
import { type PlacedRecord, parsePiece } from './parse-piece.ts';
import { LONGEST_RECORD, type Piece, type Splitter, type Unreadable } from './pieces.ts';
import { splitLines } from './split-lines.ts';
import { splitValues } from './split-values.ts';

/**
 * How a file has its records. lines: one on each line; list: the elements of one list; documents: one JSON document, or
 * several, over any number of lines.
 */
export type Layout = 'lines' | 'list' | 'documents';

/** A JSON document that is one object has to be read as a whole. */
export const LONGEST_DOCUMENT = 256 * 1024 * 1024;

/** Records are given in groups: to await each of them would take longer than to read it. */
export type Records = AsyncIterable<(PlacedRecord | Unreadable)[]>;

/** The records of a file, read as they are consumed. `wholeList`: a list is one record, and its elements are none. */
export async function* fileRecords(
  source: ByteSource,
  { layout, wholeList = false }: { layout: Layout; wholeList?: boolean },
): Records {
  const splitter = splitterOf(layout, wholeList);
  let isFirst = true;
  let last: Piece[] = [];
  try {
    for await (const chunk of source.chunks()) {
      const pieces = splitter.push(isFirst ? withoutMark(chunk) : chunk);
      isFirst = false;
      if (pieces.length > 0) yield pieces.map(parsePiece);
    }
    last = splitter.end();
  } catch (error) {
    if (error instanceof SalvoError) throw error;
    last = [...splitter.end(), { line: 0, problem: `cannot be read to its end: ${errorMessage(error)}` }];
  }
  if (last.length > 0) yield last.map(parsePiece);
}

function splitterOf(layout: Layout, wholeList: boolean): Splitter {
  if (layout === 'lines') return splitLines(LONGEST_DOCUMENT);
  if (layout === 'list' && !wholeList) return splitValues({ longest: LONGEST_RECORD, whole: false });
  return splitValues({ longest: LONGEST_DOCUMENT, whole: true });
}

/** Some programs begin a file with a byte order mark. It becomes spaces, so that offsets stay right. */
function withoutMark(chunk: Buffer): Buffer {
  if (chunk[0] !== 0xef || chunk[1] !== 0xbb || chunk[2] !== 0xbf) return chunk;
  return Buffer.concat([Buffer.from('   '), chunk.subarray(3)]);
}

const HEAD = 1024 * 1024;

/** The layout of a file, by its beginning; null if it has no JSON. */
export async function layoutOf(source: ByteSource): Promise<Layout | null> {
  const head = await headOf(source);
  const text = withoutMark(head).toString('utf8').trimStart();
  const first = text.charAt(0);
  if (first !== '{' && first !== '[') return null;
  const end = text.indexOf('\n');
  const line = end === -1 ? text : text.slice(0, end);
  const hasMore = end !== -1 && text.slice(end).trim() !== '';
  if (first === '[') return hasMore && jsonOrUndefined(line) !== undefined ? 'lines' : 'list';
  // One long line: a file of lines that has one, or the first of them.
  if (end === -1) return 'lines';
  return jsonOrUndefined(line) !== undefined || !mayGoOn(line) ? 'lines' : 'documents';
}

async function headOf(source: ByteSource): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of source.chunks()) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= HEAD) break;
    }
  } catch (error) {
    // What can be read of a damaged file is read, and then it is said.
    if (error instanceof SalvoError) throw error;
  }
  return Buffer.concat(chunks);
}

/** The first line of a document over several lines ends with a bracket, a comma or a colon. */
function mayGoOn(line: string): boolean {
  return /[[{,:]$/.test(line.trimEnd());
}

import { FormError } from '../../../trace/forms/form-error.ts';
import type { ImportedConversation } from '../../import-format.ts';
import { parsePiece } from '../../input/parse-piece.ts';
import { isZip, openZip, type ZipEntry, type ZipFile } from '../../input/zip.ts';

const NAME_LENGTH = 26;
const NAME = 30;
/** What an `.eval` file has, of which any may be the first. */
const NAMES = ['_journal/', 'header.json', 'samples/', 'summaries.json', 'reductions.json'];
/** What the log says about all samples. A log that was not finished has only its beginning. */
const HEADERS = ['header.json', '_journal/start.json'];

/** Whether a file is an archive that begins as an `.eval` file of Inspect does. */
export function isInspectArchive(head: Uint8Array): boolean {
  if (!isZip(head) || head.length < NAME) return false;
  const bytes = Buffer.from(head);
  const name = bytes.toString('utf8', NAME, NAME + bytes.readUInt16LE(NAME_LENGTH));
  return NAMES.some((each) => name.startsWith(each));
}

type DocumentReader = (document: Record<string, unknown>) => Iterable<ImportedConversation>;

/**
 * The samples of an `.eval` file, one by one, each as a log with this sample alone. One that cannot be read does not keep
 * the others from being read: the error comes after them.
 */
export async function* readInspectArchive(path: string, read: DocumentReader): AsyncGenerator<ImportedConversation> {
  await using zip = await openZip(path);
  const header = zip.entries.find(({ name }) => HEADERS.includes(name));
  const log = header ? { ...Object(await jsonIn(zip, header)) } : {};
  const problems: string[] = [];
  for (const entry of zip.entries.filter(isSample)) {
    try {
      if (entry.name.endsWith('/sample.json'))
        throw new FormError(entry.name, 'is in pieces, which Salvo does not read');
      yield* read({ ...log, samples: [await jsonIn(zip, entry)] });
    } catch (error) {
      if (!(error instanceof FormError)) throw error;
      problems.push(error.message.replace(/^samples\[0\]/, entry.name));
    }
  }
  if (problems.length > 0) {
    throw new FormError(
      'it',
      `has samples that could not be read (${problems.length}): ${problems.slice(0, 3).join('; ')}`,
    );
  }
}

/** A large sample may be in several files, of which one is its beginning. */
function isSample({ name }: ZipEntry): boolean {
  if (!name.startsWith('samples/') || !name.endsWith('.json')) return false;
  return name.indexOf('/', 'samples/'.length) === -1 || name.endsWith('/sample.json');
}

async function jsonIn(zip: ZipFile, entry: ZipEntry): Promise<unknown> {
  const piece = parsePiece({ line: 1, offset: 0, bytes: await zip.read(entry) });
  if ('problem' in piece) throw new FormError(entry.name, piece.problem);
  return piece.value;
}

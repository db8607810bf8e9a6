import { type FileHandle, open } from 'node:fs/promises';
import * as zlib from 'node:zlib';
import { SalvoError } from '../../text/errors/salvo-error.ts';

/** A file in a zip archive. */
export interface ZipEntry {
  name: string;
  /** As the archive says: what is unpacked is never more. */
  bytes: number;
  packedBytes: number;
  method: number;
  /** Where its own header begins. */
  offset: number;
}

export interface ZipFile extends AsyncDisposable {
  entries: readonly ZipEntry[];
  /** The content of an entry. Throws a `SalvoError` if it is larger than `most`, or damaged. */
  read(entry: ZipEntry, most?: number): Promise<Buffer>;
}

const END_HEADER = 0x06054b50;
const END_HEADER_64 = 0x06064b50;
const END_LOCATOR_64 = 0x07064b50;
const ENTRY_HEADER = 0x02014b50;
const FILE_HEADER = 0x04034b50;
const END_LENGTH = 22;
const LONGEST_COMMENT = 0xffff;
const UNKNOWN_32 = 0xffffffff;
const UNKNOWN_16 = 0xffff;
const STORED = 0;
const DEFLATED = 8;
const ZSTD = 93;

const MOST_ENTRIES = 1_000_000;
const MOST_DIRECTORY_BYTES = 256 * 1024 * 1024;
const MOST_ENTRY_BYTES = 256 * 1024 * 1024;

/** Whether a file begins as a zip archive does. */
export function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5);
}

/** Opens a zip archive. Nothing is unpacked until it is read, and no more than the limits allow. */
export async function openZip(path: string): Promise<ZipFile> {
  const handle = await open(path);
  try {
    const entries = await readDirectory(handle, path);
    return {
      entries,
      read: (entry, most = MOST_ENTRY_BYTES) => readEntry(handle, entry, { path, most }),
      [Symbol.asyncDispose]: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readDirectory(handle: FileHandle, path: string): Promise<ZipEntry[]> {
  const { size } = await handle.stat();
  const tailLength = Math.min(size, END_LENGTH + LONGEST_COMMENT);
  const tail = await bytesAt(handle, size - tailLength, tailLength, path);
  const at = lastEnd(tail);
  if (at === -1) throw damaged(path, 'its list of files is missing');
  const place = (await place64(handle, { tail, at, path })) ?? {
    count: tail.readUInt16LE(at + 10),
    length: tail.readUInt32LE(at + 12),
    offset: tail.readUInt32LE(at + 16),
  };
  if (place.count > MOST_ENTRIES || place.length > MOST_DIRECTORY_BYTES) throw damaged(path, 'it lists too many files');
  return entriesIn(await bytesAt(handle, place.offset, place.length, path), place.count, path);
}

function lastEnd(tail: Buffer): number {
  for (let at = tail.length - END_LENGTH; at >= 0; at -= 1) if (tail.readUInt32LE(at) === END_HEADER) return at;
  return -1;
}

/** Where the list of an archive is that has more or larger files than the first version of the format allows. */
async function place64(handle: FileHandle, { tail, at, path }: { tail: Buffer; at: number; path: string }) {
  const isLarge = tail.readUInt16LE(at + 10) === UNKNOWN_16 || tail.readUInt32LE(at + 16) === UNKNOWN_32;
  const locator = at - 20;
  if (!isLarge || locator < 0 || tail.readUInt32LE(locator) !== END_LOCATOR_64) return null;
  const end = await bytesAt(handle, Number(tail.readBigUInt64LE(locator + 8)), 56, path);
  if (end.readUInt32LE(0) !== END_HEADER_64) throw damaged(path, 'its list of files is missing');
  return {
    count: Number(end.readBigUInt64LE(32)),
    length: Number(end.readBigUInt64LE(40)),
    offset: Number(end.readBigUInt64LE(48)),
  };
}

function entriesIn(directory: Buffer, count: number, path: string): ZipEntry[] {
  const entries: ZipEntry[] = [];
  let at = 0;
  while (entries.length < count) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== ENTRY_HEADER) {
      throw damaged(path, 'its list of files is damaged');
    }
    const nameLength = directory.readUInt16LE(at + 28);
    const extraLength = directory.readUInt16LE(at + 30);
    const extra = directory.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
    const sizes = [directory.readUInt32LE(at + 24), directory.readUInt32LE(at + 20), directory.readUInt32LE(at + 42)];
    const [bytes = 0, packedBytes = 0, offset = 0] = sizes64(sizes, extra);
    entries.push({
      name: directory.toString('utf8', at + 46, at + 46 + nameLength),
      ...{ bytes, packedBytes, offset, method: directory.readUInt16LE(at + 10) },
    });
    at += 46 + nameLength + extraLength + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/** Numbers that do not fit are in an extra field, one after the other. */
function sizes64(sizes: readonly number[], extra: Buffer): number[] {
  if (!sizes.includes(UNKNOWN_32)) return [...sizes];
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let next = at + 4;
    return sizes.map((size) => {
      if (size !== UNKNOWN_32 || next + 8 > extra.length) return size;
      next += 8;
      return Number(extra.readBigUInt64LE(next - 8));
    });
  }
  return [...sizes];
}

async function readEntry(handle: FileHandle, entry: ZipEntry, { path, most }: { path: string; most: number }) {
  const { name, bytes, packedBytes, method, offset } = entry;
  if (Math.max(bytes, packedBytes) > most) {
    throw new SalvoError('FILE_TOO_LARGE', `${name} in ${path} is larger than ${Math.round(most / 1024 / 1024)} MB.`);
  }
  const header = await bytesAt(handle, offset, 30, path);
  if (header.readUInt32LE(0) !== FILE_HEADER) throw damaged(path, `${name} is not where its list says`);
  const start = offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = await bytesAt(handle, start, packedBytes, path);
  // One byte more than promised is an error, so that no small file can unpack to a large one.
  const options = { maxOutputLength: Math.max(1, bytes) };
  try {
    if (method === STORED) return packed;
    if (method === DEFLATED) return zlib.inflateRawSync(packed, options);
    if (method === ZSTD && 'zstdDecompressSync' in zlib) return zlib.zstdDecompressSync(packed, options);
  } catch (cause) {
    throw damaged(path, `${name} cannot be unpacked`, cause);
  }
  throw new SalvoError('FILE_INVALID', `${name} in ${path} is packed by the method ${method}, which cannot be read.`);
}

async function bytesAt(handle: FileHandle, offset: number, length: number, path: string): Promise<Buffer> {
  const { size } = await handle.stat();
  // Before memory is taken for them.
  if (offset < 0 || length < 0 || offset + length > size) throw damaged(path, 'it ends too early');
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, offset);
  if (bytesRead < length) throw damaged(path, 'it ends too early');
  return buffer;
}

function damaged(path: string, why: string, cause?: unknown): SalvoError {
  return new SalvoError('FILE_INVALID', `${path} is a damaged zip archive: ${why}.`, { cause });
}

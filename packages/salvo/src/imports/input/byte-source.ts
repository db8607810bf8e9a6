import { createReadStream, createWriteStream, type Stats } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { errorCode, SalvoError } from '../../text/errors/salvo-error.ts';

/** The bytes of a file, unpacked. They can be read more than once. */
export interface ByteSource extends AsyncDisposable {
  /** How messages and traces call the file. */
  name: string;
  /** As it is, packed or not; null for standard input. */
  path: string | null;
  /** As it is stored. */
  bytes: number;
  chunks(): AsyncIterable<Buffer>;
  /** Opens the bytes to read parts of them in any order. */
  openParts(): Promise<ByteParts>;
}

export interface ByteParts extends AsyncDisposable {
  read(offset: number, length: number): Promise<Buffer>;
}

const CHUNK = 64 * 1024;

/** A small file may unpack to so much that it fills the disk. */
const MOST_UNPACKED_RATIO = 200;
const ALWAYS_UNPACKED = 256 * 1024 * 1024;

/** `input` is what is read if the path is `-`. */
export async function openSource(
  path: string,
  { name, input }: { name: string; input: Readable },
): Promise<ByteSource> {
  const spool = new Spool();
  const stats = path === '-' ? null : await statOf(path, name);
  // A pipe can be read once only.
  const isStream = stats === null || !stats.isFile();
  const file = isStream ? await spool.fill(path === '-' ? input : createReadStream(path)) : path;
  const bytes = isStream ? (await stat(file)).size : stats.size;
  const isPacked = await beginsWith(file, [0x1f, 0x8b]).catch((cause) => {
    throw new SalvoError('FILE_UNREADABLE', `This file cannot be read: ${name} (${errorCode(cause)}).`, { cause });
  });
  return {
    name,
    path: file,
    bytes,
    chunks: () => (isPacked ? unpacked(file, { name, bytes }) : plainChunks(file)),
    openParts: async () => openParts(isPacked ? await spool.fill(unpacked(file, { name, bytes })) : file),
    [Symbol.asyncDispose]: () => spool.remove(),
  };
}

async function statOf(path: string, name: string): Promise<Stats> {
  try {
    return await stat(path);
  } catch (cause) {
    const why = errorCode(cause) === 'ENOENT' ? 'There is no file' : 'This file cannot be read:';
    throw new SalvoError('FILE_UNREADABLE', `${why} ${name}.`, { cause });
  }
}

/** Each chunk has memory of its own: pieces of it may live longer than the next one. */
async function* plainChunks(file: string): AsyncGenerator<Buffer> {
  await using handle = await open(file);
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function* unpacked(file: string, { name, bytes }: { name: string; bytes: number }): AsyncGenerator<Buffer> {
  const most = Math.max(ALWAYS_UNPACKED, bytes * MOST_UNPACKED_RATIO);
  let length = 0;
  const source = createReadStream(file);
  const gunzip = createGunzip({ chunkSize: CHUNK });
  source.on('error', (error) => gunzip.destroy(error));
  for await (const chunk of source.pipe(gunzip)) {
    length += chunk.length;
    if (length > most) {
      throw new SalvoError('FILE_TOO_LARGE', `${name} unpacks to more than ${MOST_UNPACKED_RATIO} times its size.`);
    }
    yield chunk;
  }
}

async function beginsWith(file: string, magic: readonly number[]): Promise<boolean> {
  await using handle = await open(file);
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(magic.length), 0, magic.length, 0);
  return bytesRead === magic.length && magic.every((byte, index) => buffer[index] === byte);
}

async function openParts(file: string): Promise<ByteParts> {
  const handle = await open(file);
  // Parts that belong together mostly follow each other. To ask for each of them takes longer than to read them.
  let start = 0;
  let chunk = Buffer.alloc(0);
  return {
    async read(offset, length) {
      if (offset < start || offset + length > start + chunk.length) {
        const most = Math.max(length, CHUNK);
        const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(most), 0, most, offset);
        start = offset;
        chunk = buffer.subarray(0, bytesRead);
      }
      return chunk.subarray(offset - start, offset - start + length);
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

/** Keeps bytes that can be read once only in a temporary file. */
class Spool {
  #folder: string | null = null;
  #count = 0;

  async fill(bytes: Readable | AsyncIterable<Buffer>): Promise<string> {
    this.#folder ??= await mkdtemp(join(tmpdir(), 'salvo-import-'));
    this.#count += 1;
    const file = join(this.#folder, String(this.#count));
    await pipeline(bytes, createWriteStream(file, { mode: 0o600 }));
    return file;
  }

  async remove(): Promise<void> {
    if (this.#folder !== null) await rm(this.#folder, { recursive: true, force: true });
  }
}

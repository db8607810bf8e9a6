import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, SalvoError } from './errors/salvo-error.ts';

const CHUNK = 256 * 1024;
const POLL_MS = 20;

/** Read without waiting: a thread that waits for a pipe cannot be stopped, and would keep the process from ending. */
const WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * The bytes of a file, a pipe or a device. Rejects with `FILE_TOO_LARGE` as soon as there are more than `most`, with
 * `FILE_NOT_TEXT` at the first chunk that no text has, and when `signal` is aborted.
 */
export async function readLimited(file: string, options: { most: number; signal?: AbortSignal | undefined }) {
  const { most, signal } = options;
  signal?.throwIfAborted();
  await using handle = await open(file, WITHOUT_WAITING);
  const stats = await handle.stat();
  if (stats.isFile() && stats.size > most) throw tooLarge(file, most);
  // A named pipe has no writer at first; one that the shell made for `<(...)` has, or is empty.
  const mayBeginLater = stats.isFIFO() && !/^\/(?:dev|proc)\//.test(file);
  const scratch = Buffer.allocUnsafe(CHUNK);
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    signal?.throwIfAborted();
    const chunk = await readChunk(handle, scratch);
    if (chunk === 'not yet' || (chunk.length === 0 && length === 0 && mayBeginLater)) {
      await sleep(POLL_MS, undefined, { signal });
      continue;
    }
    if (chunk.length === 0) return Buffer.concat(chunks, length);
    if (length === 0 && isBinary(chunk)) throw new SalvoError('FILE_NOT_TEXT', `${file} is not a text file.`);
    length += chunk.length;
    if (length > most) throw tooLarge(file, most);
    chunks.push(chunk);
  }
}

/** The bytes of a regular file; null when it is larger than `most`, even if it grows while it is read. */
export function readLimitedSync(file: string, most: number): Buffer | null {
  const descriptor = openSync(file, WITHOUT_WAITING);
  try {
    const { size } = fstatSync(descriptor);
    if (size > most) return null;
    const chunks: Buffer[] = [];
    let length = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafe(Math.max(1024, Math.min(CHUNK, size + 1 - length)));
      const count = readSync(descriptor, chunk);
      if (count === 0) return Buffer.concat(chunks, length);
      length += count;
      if (length > most) return null;
      chunks.push(chunk.subarray(0, count));
    }
  } finally {
    closeSync(descriptor);
  }
}

/** A copy, because a pipe may give a few bytes at a time, and each would keep a whole buffer. */
async function readChunk(handle: FileHandle, scratch: Buffer): Promise<Buffer | 'not yet'> {
  try {
    const { bytesRead } = await handle.read(scratch, 0, CHUNK, null);
    return Buffer.from(scratch.subarray(0, bytesRead));
  } catch (error) {
    if (errorCode(error) === 'EAGAIN') return 'not yet';
    throw error;
  }
}

/** A text has no zero byte, unless it is UTF-16, which begins with a byte order mark. */
function isBinary(chunk: Buffer): boolean {
  const mark = chunk.subarray(0, 2).toString('hex');
  return mark !== 'fffe' && mark !== 'feff' && chunk.includes(0);
}

function tooLarge(file: string, most: number): SalvoError {
  return new SalvoError('FILE_TOO_LARGE', `${file} is larger than ${Math.round(most / 1024 / 1024)} MB.`);
}

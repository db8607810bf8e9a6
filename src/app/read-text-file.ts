import { constants, openSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { resolve } from 'node:path';
import { SalvoError } from '../text/salvo-error.ts';

interface ReadOptions {
  cwd: string;
  /** Rejects when it is aborted: a pipe that nobody writes to never ends. */
  stop?: AbortSignal | undefined;
}

/** The text of a file that a user names. PowerShell writes UTF-16, so a byte-order mark decides the encoding. */
export async function readTextFile(file: string, { cwd, stop }: ReadOptions): Promise<string> {
  const bytes = await readBytes(resolve(cwd, file), stop).catch((cause: NodeJS.ErrnoException) => {
    throw new SalvoError('FILE_UNREADABLE', `${file} cannot be read: ${reason(cause)}.`, { cause });
  });
  return new TextDecoder(encoding(bytes)).decode(bytes);
}

/**
 * A pipe is read by events. As a file it would be read in a thread that cannot be stopped, and this process could not
 * end before somebody writes to the pipe.
 */
async function readBytes(path: string, stop: AbortSignal | undefined): Promise<Buffer> {
  if (!(await stat(path)).isFIFO()) return readFile(path, { signal: stop });
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const chunks: Buffer[] = [];
  for await (const chunk of new Socket({ fd, writable: false, signal: stop })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function encoding(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}

function reason({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'ABORT_ERR') return 'it was stopped';
  if (code === 'EISDIR') return 'it is a folder';
  return message;
}

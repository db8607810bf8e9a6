import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SalvoError } from '../text/salvo-error.ts';

interface ReadOptions {
  cwd: string;
  /** Rejects when it is aborted: a pipe that nobody writes to never ends. */
  stop?: AbortSignal | undefined;
}

/** The text of a file that a user names. PowerShell writes UTF-16, so a byte-order mark decides the encoding. */
export async function readTextFile(file: string, { cwd, stop }: ReadOptions): Promise<string> {
  const reading = readFile(resolve(cwd, file), { signal: stop });
  const bytes = await untilStopped(reading, stop, file).catch((cause: NodeJS.ErrnoException) => {
    if (cause instanceof SalvoError) throw cause;
    throw new SalvoError('FILE_UNREADABLE', `${file} cannot be read: ${reason(cause)}.`, { cause });
  });
  return new TextDecoder(encoding(bytes)).decode(bytes);
}

/** Rejects at once, even while the file is being opened, which cannot be aborted. */
async function untilStopped<T>(reading: Promise<T>, stop: AbortSignal | undefined, file: string): Promise<T> {
  if (!stop) return reading;
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const onStop = () => reject(new SalvoError('STOPPED', `Stopped while ${file} was read.`));
  stop.addEventListener('abort', onStop, { once: true });
  if (stop.aborted) onStop();
  return Promise.race([reading, stopped]).finally(() => stop.removeEventListener('abort', onStop));
}

function encoding(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}

function reason({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder';
  return message;
}

import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { errorCode, errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { readLimited } from '../../text/read-limited.ts';

/** More than any scanner reports about one project. */
const MOST_BYTES = 100 * 1024 * 1024;

/**
 * The text of a file that a user names. PowerShell writes UTF-16, so a byte-order mark decides the encoding. `usual` is
 * what such a file is called in a folder of a game, for those who name the folder.
 */
export async function readTextFile(
  file: string,
  { cwd, signal, usual }: { cwd: string; signal?: AbortSignal | undefined; usual?: string },
): Promise<string> {
  const bytes = await readLimited(resolve(cwd, file), { most: MOST_BYTES, signal }).catch((cause: unknown) => {
    signal?.throwIfAborted();
    const isFolder = usual !== undefined && errorCode(cause) === 'EISDIR';
    const hint = isFolder ? ` Name the file in it, such as ${join(file, usual)}.` : '';
    throw new SalvoError('FILE_UNREADABLE', `${file} cannot be read: ${reason(cause)}.${hint}`, { cause });
  });
  return new TextDecoder(encoding(bytes)).decode(bytes);
}

function encoding(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}

function reason(cause: unknown): string {
  if (errorCode(cause) === 'ENOENT') return 'there is no such file';
  if (errorCode(cause) === 'EISDIR') return 'it is a folder';
  if (cause instanceof SalvoError && cause.code === 'FILE_TOO_LARGE') return 'it is larger than 100 MB';
  if (cause instanceof SalvoError && cause.code === 'FILE_NOT_TEXT') return 'it is not a text file';
  return errorMessage(cause);
}

/** Whether there is a file. A folder is none. */
export async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

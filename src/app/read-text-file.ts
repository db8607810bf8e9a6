import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SalvoError } from '../text/salvo-error.ts';

/** The text of a file that a user names. PowerShell writes UTF-16, so a byte-order mark decides the encoding. */
export async function readTextFile(file: string, { cwd }: { cwd: string }): Promise<string> {
  const bytes = await readFile(resolve(cwd, file)).catch((cause: NodeJS.ErrnoException) => {
    throw new SalvoError('FILE_UNREADABLE', `${file} cannot be read: ${reason(cause)}.`, { cause });
  });
  return new TextDecoder(encoding(bytes)).decode(bytes);
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

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { SalvoError } from '../../text/salvo-error.ts';
import type { Terminal } from './terminal.ts';

/** The text of a file that the command line names; also of one that PowerShell wrote, which is UTF-16. */
export async function readTextFile(file: string, { cwd }: Pick<Terminal, 'cwd'>): Promise<string> {
  const bytes = await readFile(resolve(cwd, file)).catch((cause: NodeJS.ErrnoException) => {
    throw new SalvoError('FILE_UNREADABLE', `${file} cannot be read: ${reasonOf(cause)}.`, { cause });
  });
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder';
  return message;
}

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { constants, createWriteStream } from 'node:fs';
import { access, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { Terminal } from './terminal.ts';

/** The name of standard output, where a file is asked for. */
export const STANDARD_OUTPUT = '-';

/**
 * Writes a file completely or not at all: readers never see a part of it, and a failure keeps the old file. Makes its
 * folder. `-` is standard output. Does nothing if no file was asked for.
 */
export async function writeWholeFile(
  file: string | undefined,
  terminal: Pick<Terminal, 'cwd' | 'stdout'>,
  produce: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  if (file === undefined) return;
  if (file === STANDARD_OUTPUT) return await produce(async (text) => terminal.stdout.write(text));
  const target = resolve(terminal.cwd, file);
  await mkdir(dirname(target), { recursive: true }).catch((cause) => {
    throw notWritten(file, cause);
  });
  const draft = `${target}.${randomBytes(4).toString('hex')}.tmp`;
  const stream = createWriteStream(draft, { flags: 'wx' });
  try {
    await once(stream, 'open');
    await produce(async (text) => {
      if (!stream.write(text)) await once(stream, 'drain');
    });
    stream.end();
    await finished(stream);
    await rename(draft, target);
  } catch (cause) {
    stream.destroy();
    await rm(draft, { force: true });
    if (cause instanceof Error && 'syscall' in cause) throw notWritten(file, cause);
    throw cause;
  }
}

/** Throws if one of the files cannot be written, or two go to standard output. Called before anything is paid for. */
export async function checkWritable(
  files: readonly (string | undefined)[],
  terminal: Pick<Terminal, 'cwd'>,
): Promise<void> {
  if (files.filter((file) => file === STANDARD_OUTPUT).length > 1) {
    const problem = 'Only one report can be written to standard output (-). Name a file for the others.';
    throw new SalvoError('OPTIONS_INVALID', problem);
  }
  for (const file of files) {
    if (file === undefined || file === STANDARD_OUTPUT) continue;
    const target = resolve(terminal.cwd, file);
    const stats = await stat(target).catch(() => null);
    if (stats?.isDirectory()) throw notWritten(file, new Error('it is a folder'));
    const folder = await nearestExisting(dirname(target));
    if (!(await stat(folder)).isDirectory()) throw notWritten(file, new Error(`${folder} is a file, not a folder`));
    await access(folder, constants.W_OK).catch((cause) => {
      throw notWritten(file, cause);
    });
  }
}

/** The folder itself, or the one in which it would be made. */
async function nearestExisting(folder: string): Promise<string> {
  const parent = dirname(folder);
  const exists = await access(folder).then(
    () => true,
    () => false,
  );
  return exists || parent === folder ? folder : nearestExisting(parent);
}

function notWritten(file: string, cause: Error): SalvoError {
  return new SalvoError('FILE_NOT_WRITTEN', `Could not write ${file}: ${cause.message}.`, { cause });
}

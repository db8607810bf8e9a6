import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { SalvoError } from '../salvo-error.ts';
import type { Terminal } from './terminal.ts';

/** Writes a file whole or not at all: readers never see half of it, and a failure leaves the old one alone. */
export async function writeWholeFile(
  file: string,
  terminal: Pick<Terminal, 'cwd'>,
  produce: (write: (text: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const target = resolve(terminal.cwd, file);
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
    if (cause instanceof Error && 'syscall' in cause) {
      throw new SalvoError('FILE_NOT_WRITTEN', `Could not write ${file}: ${cause.message}`, { cause });
    }
    throw cause;
  }
}

import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import type { Store } from '../store.ts';
import { type PartHeader, partFileName } from './part-document.ts';

/** Removes what an earlier run of the shard left: a part must never be mistaken for that of a run that was killed. */
export async function removePart(folder: string, shard: PartHeader['shard']): Promise<void> {
  const file = join(folder, partFileName(shard));
  try {
    await mkdir(folder, { recursive: true });
    await rm(file, { force: true });
  } catch (cause) {
    throw notWritten(file, cause);
  }
}

/** Writes the part of a shard from its store, completely or not at all. Returns the file, and how many results it has. */
export async function writePart(options: {
  folder: string;
  header: PartHeader;
  store: Pick<Store, 'trials' | 'getTrace'>;
}): Promise<{ file: string; results: number }> {
  const { folder, header, store } = options;
  const file = join(folder, partFileName(header.shard));
  const draft = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  const sha256 = createHash('sha256');
  let trials = 0;
  let results = 0;
  try {
    await using handle = await open(draft, 'wx');
    const write = async (document: object): Promise<void> => {
      const line = `${JSON.stringify(document)}\n`;
      sha256.update(line);
      await handle.writeFile(line);
    };
    await write(header);
    for await (const trial of store.trials(header.run.run_id)) {
      await write({ trial, trace: trial.trace_id === null ? null : await store.getTrace(trial.trace_id) });
      trials += 1;
      if (trial.result) results += 1;
    }
    await write({ end: true, trials, sha256: sha256.copy().digest('hex') });
    await handle.sync();
  } catch (cause) {
    await rm(draft, { force: true });
    throw cause instanceof SalvoError ? cause : notWritten(file, cause);
  }
  await rename(draft, file).catch((cause) => {
    throw notWritten(file, cause);
  });
  return { file, results };
}

function notWritten(file: string, cause: unknown): SalvoError {
  return new SalvoError('FILE_NOT_WRITTEN', `Could not write ${file}: ${errorMessage(cause)}.`, { cause });
}

import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { holderSchema, isGone, thisHolder } from '../../queue/lease.ts';
import { errorCode, errorMessage } from '../../text/errors/salvo-error.ts';

export interface CassetteWriter<Contents> {
  /** Changes the contents and writes them. Never rejects: a full disk must not lose an answer that was paid for. */
  write(change: Change<Contents>): Promise<void>;
  /** Why the file could not be written. */
  problems(): string[];
}

/** How a kind of cassette is read and written. */
export interface CassetteFormat<Contents> {
  empty(): Contents;
  /** Null if there is no file. */
  read(file: string): Promise<Contents | null>;
  text(contents: Contents): string;
}

type Change<Contents> = (contents: Contents) => void;

/** A lock of this age is nobody's: a file is written within seconds. */
const STALE_LOCK_MS = 30_000;
/** A lock without its holder: the process was killed between two system calls. */
const EMPTY_LOCK_MS = 5000;
const POLL_MS = 10;

/**
 * Writes a cassette as a whole, so that it is never half written, and with all changes that came while the last write was
 * under way. Several processes can record on one file: each reads what the others wrote before it writes.
 */
export function createCassetteWriter<Contents>(
  file: string,
  format: CassetteFormat<Contents>,
): CassetteWriter<Contents> {
  const problems = new Set<string>();
  let contents = format.empty();
  /** The version of the file that `contents` were read from, or written to. */
  let version: string | null = null;
  /** All changes of this process: they are made again to what another process wrote. */
  const made: Change<Contents>[] = [];
  let waiting: Change<Contents>[] = [];
  let writing: Promise<void> = Promise.resolve();

  async function writeWaiting(): Promise<void> {
    if (waiting.length === 0) return;
    const changes = waiting;
    waiting = [];
    try {
      await mkdir(dirname(file), { recursive: true });
      await using _lock = await lockFile(`${file}.lock`);
      if ((await versionOf(file)) !== version) {
        contents = (await format.read(file)) ?? format.empty();
        for (const change of made) change(contents);
      }
      for (const change of changes) change(contents);
      await writeWhole(file, format.text(contents));
      made.push(...changes);
      version = await versionOf(file);
    } catch (error) {
      // The next write begins with what the file has: the changes must not be made twice.
      version = 'unknown';
      waiting = [...changes, ...waiting];
      problems.add(`The cassette ${file} could not be written: ${errorMessage(error)}.`);
    }
  }

  return {
    write(change) {
      waiting.push(change);
      writing = writing.then(writeWaiting);
      return writing;
    },
    problems: () => (waiting.length === 0 ? [] : [...problems]),
  };
}

async function versionOf(file: string): Promise<string | null> {
  try {
    const { ino, size, mtimeMs } = await stat(file);
    return `${ino} ${size} ${mtimeMs}`;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Under the lock. What a killed process left of its draft is overwritten. */
async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.tmp`;
  try {
    {
      await using handle = await open(draft, 'w');
      await handle.writeFile(text);
      await handle.sync();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function lockFile(lock: string): Promise<AsyncDisposable> {
  for (;;) {
    try {
      await writeFile(lock, JSON.stringify(thisHolder()), { flag: 'wx' });
      return { [Symbol.asyncDispose]: () => rm(lock, { force: true }) };
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    if (await isLeft(lock)) await rm(lock, { force: true });
    else await sleep(POLL_MS);
  }
}

/** Whether the process that locked the file was killed. Of another machine, only the age of its lock is known. */
async function isLeft(lock: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(lock);
    const ageMs = Date.now() - mtimeMs;
    const holder = await readFile(lock, 'utf8');
    if (ageMs > STALE_LOCK_MS || (holder === '' && ageMs > EMPTY_LOCK_MS)) return true;
    return isGone(holderSchema.parse(JSON.parse(holder)));
  } catch {
    // It is gone, or just being written.
    return false;
  }
}

import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { errorCode, errorMessage, SalvoError } from '../../text/salvo-error.ts';
import { migrate } from './migrate.ts';
import { waitForLock } from './wait-for-lock.ts';

/** SQLite blocks the whole process while it waits for a lock, so it waits only this long; `waitForLock` does the rest. */
const BUSY_TIMEOUT_MS = 200;

/** Opens the database, creating file, folder and tables where they are missing. Safe to do in many processes at once. */
export async function openDatabase(file: string): Promise<DatabaseSync> {
  if (file !== ':memory:') await createFolder(path.dirname(file));
  // Switching a new file to WAL needs an exclusive lock, and SQLite doesn't always wait for it by itself.
  return await waitForLock(file, () => openOnce(file));
}

function openOnce(file: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(file);
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    migrate(database, file);
    // NORMAL under WAL: a killed process loses no commit; only a power failure can lose the last ones.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON');
    // Hashes spread over their indexes: with a longer log, each of those pages is written back less often.
    database.exec('PRAGMA wal_autocheckpoint = 4000');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

async function createFolder(folder: string): Promise<void> {
  try {
    const created = await mkdir(folder, { recursive: true });
    // Traces must not be committed by accident. A folder with other files in it is not hidden from git.
    if (created !== undefined || (await readdir(folder)).every((name) => name === 'judge-cache'))
      await ignoreInGit(folder);
  } catch (cause) {
    throw new SalvoError(
      'STORE_NOT_WRITABLE',
      `The storage folder ${folder} can't be created: ${errorMessage(cause)}. Check the permissions, or set another storage_dir in salvo.yaml.`,
      { cause },
    );
  }
}

async function ignoreInGit(folder: string): Promise<void> {
  try {
    await writeFile(path.join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

type Sqlite = typeof import('node:sqlite');

/**
 * `node:sqlite`, loaded only when a store is opened, and without the warning that Node 22 prints.
 * The load is synchronous, so no other warning can be lost while this one is suppressed.
 */
function loadSqlite(): Sqlite {
  const emitWarning = process.emitWarning;
  process.emitWarning = (...args: unknown[]) => {
    if (!String(args[0]).startsWith('SQLite is an experimental feature')) Reflect.apply(emitWarning, process, args);
  };
  try {
    const sqlite: Sqlite | undefined = process.getBuiltinModule('node:sqlite');
    if (sqlite !== undefined) return sqlite;
  } finally {
    process.emitWarning = emitWarning;
  }
  throw new SalvoError(
    'STORE_NO_SQLITE',
    `Node ${process.version} was built without SQLite, which Salvo stores its runs in. Use an official build of Node 22.18 or later.`,
  );
}

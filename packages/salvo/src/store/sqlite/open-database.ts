import { copyFile, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { ErrorCode } from '../../text/errors/error-codes.ts';
import { errorCode, errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { isUpToDate, migrate } from './migrate.ts';
import { migrateWithBackup } from './migrate-with-backup.ts';
import { isBusy, sqliteError } from './sqlite-error.ts';

/** SQLite blocks the whole process while it waits for a lock, so it waits only this long; `waitForLock` does the rest. */
const BUSY_TIMEOUT_MS = 200;

/** Opens the database, creating file, folder and tables where they are missing. Safe to do in many processes at once. */
export async function openDatabase(file: string): Promise<DatabaseSync> {
  if (file !== ':memory:') await createFolder(path.dirname(file));
  // Switching a new file to WAL needs an exclusive lock, and SQLite doesn't always wait for it by itself.
  return await waitForLock(file, () => openOnce(file, (database) => migrateOwn(database, file)));
}

/** Of the user, who wants to know of it, and to have it back. */
function migrateOwn(database: DatabaseSync, file: string): void {
  const { DatabaseSync } = loadSqlite();
  migrateWithBackup(database, file, {
    openAgain: () => new DatabaseSync(file, { readOnly: true }),
    announce: (line) => process.stderr.write(`${line}\n`),
  });
}

/** A database and what has to be done after it was closed. */
export interface OpenedDatabase {
  database: DatabaseSync;
  cleanUp: () => Promise<void>;
}

const NOTHING_TO_CLEAN = async (): Promise<void> => {};
const NOT_WRITABLE: readonly ErrorCode[] = ['STORE_NOT_WRITABLE', 'STORE_FULL', 'STORE_IO'];

/** Opens the database of a command that only reads it: also on a full disk, and where nothing can be written. */
export async function openToRead(file: string): Promise<OpenedDatabase> {
  try {
    return { database: await openDatabase(file), cleanUp: NOTHING_TO_CLEAN };
  } catch (error) {
    if (!(error instanceof SalvoError && NOT_WRITABLE.includes(error.code))) throw error;
    const database = openReadOnly(file) ?? (await openUnchanging(file));
    return database ? { database, cleanUp: NOTHING_TO_CLEAN } : await openCopy(file, error);
  }
}

/** SQLite shares the log of a database through a third file, which has to be there already. */
function openReadOnly(location: string | URL): DatabaseSync | null {
  const { DatabaseSync } = loadSqlite();
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(location, { readOnly: true });
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    if (isUpToDate(database, String(location))) return database;
  } catch {
    // Tried in another way.
  }
  if (database?.isOpen) database.close();
  return null;
}

/** Without the log and its locks. Only when everything is in the file itself, and nobody can be writing to it. */
async function openUnchanging(file: string): Promise<DatabaseSync | null> {
  const log = await stat(`${file}-wal`).catch(() => null);
  if (log !== null && log.size > 0) return null;
  const location = pathToFileURL(file);
  location.searchParams.set('immutable', '1');
  return openReadOnly(location);
}

/** A copy, with its log, in the folder for temporary files. */
async function openCopy(file: string, cause: SalvoError): Promise<OpenedDatabase> {
  const folder = await mkdtemp(path.join(tmpdir(), 'salvo-copy-')).catch(() => null);
  if (folder === null) throw cause;
  const cleanUp = () => rm(folder, { recursive: true, force: true });
  try {
    const copy = path.join(folder, 'salvo.db');
    await copyFile(file, copy);
    await copyFile(`${file}-wal`, `${copy}-wal`).catch(() => {});
    return { database: await waitForLock(copy, () => openOnce(copy, (database) => migrate(database, copy))), cleanUp };
  } catch (error) {
    await cleanUp();
    // What is wrong with the file itself says more than that it cannot be written.
    throw error instanceof SalvoError && !NOT_WRITABLE.includes(error.code) ? error : sqliteError(file, cause);
  }
}

function openOnce(file: string, migrateTables: (database: DatabaseSync) => void): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(file);
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    migrateTables(database);
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
    // Traces are for nobody else on this machine.
    const created = await mkdir(folder, { recursive: true, mode: 0o700 });
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
    'SQLITE_MISSING',
    `Node ${process.version} was built without SQLite, which Salvo stores its runs in. Use an official build of Node 22.18 or later.`,
  );
}

const PATIENCE_MS = 60_000;

/**
 * Retries until no other process holds the database, and sleeps in between: waiting inside SQLite would stop every trial
 * of this process. Any other error is thrown with a message for the user.
 */
export async function waitForLock<T>(file: string, attempt: () => T): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw sqliteError(file, error);
      await sleep(1 + Math.random() * 20);
    }
  }
}

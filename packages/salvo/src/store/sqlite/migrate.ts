import type { DatabaseSync } from 'node:sqlite';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { MIGRATIONS } from './migrations.ts';
import { isSqlError } from './sqlite-error.ts';

/** "Slvo": marks the file as ours, so that another program's database is never written to. */
const APPLICATION_ID = 0x536c766f;

interface MigrateOptions {
  migrations?: readonly string[];
  /** Called with the version of tables that are there and will be changed, while nobody else can write to them. */
  before?: (from: number) => void;
}

/**
 * Brings the tables up to date, all of it or nothing. Of processes that start together only one migrates; the others
 * wait.
 */
export function migrate(database: DatabaseSync, file: string, options: MigrateOptions = {}): void {
  const { migrations = MIGRATIONS, before = () => {} } = options;
  if (storedVersion(database, file, migrations) === migrations.length) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    const from = storedVersion(database, file, migrations);
    if (from > 0 && from < migrations.length) before(from);
    for (const step of migrations.slice(from)) runStep(database, { file, from, to: migrations.length, step });
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}`);
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function runStep(database: DatabaseSync, step: { file: string; from: number; to: number; step: string }): void {
  try {
    database.exec(step.step);
  } catch (cause) {
    // Anything but an error in SQL, such as a full disk, has a message of its own.
    if (!isSqlError(cause)) throw cause;
    throw new SalvoError(
      'STORE_NOT_MIGRATED',
      `The tables in ${step.file} can't be brought from version ${step.from} to ${step.to} (${errorMessage(cause)}), so the file was left as it is. Use the Salvo that wrote it, or move it away to start with an empty store.`,
      { cause },
    );
  }
}

/** Whether the tables are those of this version. Throws for the database of another program or of a newer version. */
export function isUpToDate(database: DatabaseSync, file: string): boolean {
  return storedVersion(database, file, MIGRATIONS) === MIGRATIONS.length;
}

function storedVersion(database: DatabaseSync, file: string, migrations: readonly string[]): number {
  // First of all: another process may make the tables at this moment, and marks them as ours with the same commit.
  const wasEmpty = queryNumber(database, 'SELECT count(*) FROM sqlite_schema') === 0;
  const applicationId = queryNumber(database, 'PRAGMA application_id');
  const version = queryNumber(database, 'PRAGMA user_version');
  if (applicationId !== APPLICATION_ID && !wasEmpty) {
    throw new SalvoError(
      'STORE_FOREIGN',
      `${file} is a database of another program, so it was left as it is. Set another storage_dir in salvo.yaml.`,
    );
  }
  if (version > migrations.length) {
    throw new SalvoError(
      'STORE_TOO_NEW',
      `${file} was written by a newer Salvo (its version is ${version}, this Salvo knows up to ${migrations.length}). Update Salvo, or set another storage_dir in salvo.yaml.`,
    );
  }
  return version;
}

function queryNumber(database: DatabaseSync, sql: string): number {
  return Number(Object.values(database.prepare(sql).get() ?? {})[0] ?? 0);
}

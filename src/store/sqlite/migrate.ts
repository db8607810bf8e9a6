import type { DatabaseSync } from 'node:sqlite';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { MIGRATIONS } from './migrations.ts';

/** "Slvo": marks the file as ours, so that another program's database is never written to. */
const APPLICATION_ID = 0x536c766f;

/** Brings the tables up to date. Of processes that start together only one migrates; the others wait. */
export function migrate(database: DatabaseSync, file: string, migrations: readonly string[] = MIGRATIONS): void {
  if (storedVersion(database, file, migrations) === migrations.length) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    for (const step of migrations.slice(storedVersion(database, file, migrations))) database.exec(step);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}`);
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Whether the tables are those of this version. Throws for the database of another program or of a newer version. */
export function isUpToDate(database: DatabaseSync, file: string): boolean {
  return storedVersion(database, file, MIGRATIONS) === MIGRATIONS.length;
}

function storedVersion(database: DatabaseSync, file: string, migrations: readonly string[]): number {
  // First of all: another process may make the tables at this moment, and marks them as ours with the same commit.
  const wasEmpty = isEmpty(database);
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

function isEmpty(database: DatabaseSync): boolean {
  return queryNumber(database, 'SELECT count(*) FROM sqlite_schema') === 0;
}

function queryNumber(database: DatabaseSync, sql: string): number {
  return Number(Object.values(database.prepare(sql).get() ?? {})[0] ?? 0);
}

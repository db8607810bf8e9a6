import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createDatabase, type TestDatabase } from '../../postgres.ts';

const sqlOf = (name: string): string => readFileSync(path.join(import.meta.dirname, name), 'utf8');

/** Writes a store of an earlier version, such as `05-356de53b.sql`, to a file. `use` is called before it is closed. */
export function restoreFile<T>(name: string, file: string, use: (database: DatabaseSync) => T): T {
  mkdirSync(path.dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  try {
    database.exec(sqlOf(name));
    return use(database);
  } finally {
    database.close();
  }
}

/** A new database with a store of an earlier version, such as `02-def6a915.sql`. */
export async function restoreDatabase(name: string): Promise<TestDatabase> {
  const database = await createDatabase();
  await database.query(sqlOf(`postgres/${name}`));
  return database;
}

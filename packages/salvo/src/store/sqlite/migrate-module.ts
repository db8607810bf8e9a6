import type { DatabaseSync } from 'node:sqlite';
import { errorCode, SalvoError } from '../../text/errors/salvo-error.ts';
import { tableNames, type WorkModule } from '../table-module.ts';
import type { WriteQueue } from './write-queue.ts';

interface ModuleDatabase {
  database: DatabaseSync;
  file: string;
  queue: WriteQueue;
  read: <T>(query: () => T) => Promise<T>;
}

/** Brings the tables of a module to its version. Of processes that do it together only one changes something. */
export async function migrateModule(
  parts: ModuleDatabase,
  { name, migrations }: Pick<WorkModule, 'name' | 'migrations'>,
): Promise<void> {
  const { database, file, queue, read } = parts;
  const steps = migrations.sqlite;
  const version = (): number => storedVersion(database, name);
  const found = await read(version);
  if (found > steps.length) throw tooNew(file, name);
  if (found === steps.length) return;
  try {
    await queue.write(() => {
      for (const step of steps.slice(version())) database.exec(tableNames(step, (table) => table));
      database.exec('CREATE TABLE IF NOT EXISTS schema_parts (name TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT');
      database.prepare('INSERT OR REPLACE INTO schema_parts VALUES (?, ?)').run(name, steps.length);
    });
  } catch (error) {
    // What can't be written is read as it is: the tables of earlier versions of Salvo are there already.
    if (errorCode(error) !== 'STORE_NOT_WRITABLE') throw error;
  }
}

function storedVersion(database: DatabaseSync, name: string): number {
  const [there] = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_parts'").all();
  if (!there) return 0;
  return Number(database.prepare('SELECT version FROM schema_parts WHERE name = ?').get(name)?.version ?? 0);
}

function tooNew(file: string, name: string): SalvoError {
  const message = `${file} has tables of a later version of ${name}. Install that version: npm install ${name}@latest.`;
  return new SalvoError('STORE_TOO_NEW', message);
}

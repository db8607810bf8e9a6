import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import type { WorkModule } from '../table-module.ts';
import { migrateModule } from './migrate-module.ts';
import { writeQueue } from './write-queue.ts';

const notes: WorkModule = {
  name: 'salvo-notes',
  migrations: { sqlite: ['CREATE TABLE IF NOT EXISTS @notes (note TEXT)'], postgres: [] },
  work: { kind: 'note', column: 'note', tables: ['notes'], followed: {} },
  open: () => null,
};

function partsOf(database: DatabaseSync, file: string) {
  const read = async <T>(query: () => T): Promise<T> => query();
  return { database, file, queue: writeQueue(database, file), read };
}

test('tables that are there already stay as they are, and their version is kept from now on', async () => {
  const database = new DatabaseSync(':memory:');
  database.exec("CREATE TABLE notes (note TEXT); INSERT INTO notes VALUES ('mine')");
  for (const _ of [1, 2]) await migrateModule(partsOf(database, ':memory:'), notes);
  expect(database.prepare('SELECT note FROM notes').all()).toMatchObject([{ note: 'mine' }]);
  expect(database.prepare('SELECT * FROM schema_parts').all()).toMatchObject([{ name: 'salvo-notes', version: 1 }]);
});

test('a file that cannot be written is read as it is', async () => {
  const file = path.join(await temporaryFolder(), 'salvo.db');
  const earlier = new DatabaseSync(file);
  earlier.exec("CREATE TABLE notes (note TEXT); INSERT INTO notes VALUES ('mine')");
  earlier.close();
  const database = new DatabaseSync(file, { readOnly: true });
  await expect(migrateModule(partsOf(database, file), notes)).resolves.toBeUndefined();
  expect(database.prepare('SELECT note FROM notes').all()).toHaveLength(1);
  database.close();
});

test('a step that fails leaves nothing behind', async () => {
  const database = new DatabaseSync(':memory:');
  const broken = { ...notes, migrations: { sqlite: [...notes.migrations.sqlite, 'CREATE NONSENSE'], postgres: [] } };
  await expect(migrateModule(partsOf(database, ':memory:'), broken)).rejects.toThrow('NONSENSE');
  expect(database.prepare('SELECT name FROM sqlite_schema').all()).toEqual([]);
});

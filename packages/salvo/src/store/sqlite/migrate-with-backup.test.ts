import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { migrate } from './migrate.ts';
import { migrateWithBackup } from './migrate-with-backup.ts';
import { MIGRATIONS } from './migrations.ts';

let file: string;
let lines: string[];
beforeEach(async () => {
  file = path.join(await temporaryFolder(), 'salvo.db');
  lines = [];
});

/** A file with the tables of a version, as the process that wrote it left it: the last rows are in the log. */
function storeOfVersion(version: number): void {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL');
  migrate(database, file, { migrations: MIGRATIONS.slice(0, version) });
  if (version > 0) {
    database.exec(
      "INSERT INTO runs (run_id, created_at, status, salvo_version, options) VALUES ('r', 't', 'finished', '0', '{}')",
    );
  }
  database.close();
}

function migrateFile(): DatabaseSync {
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  migrateWithBackup(database, file, {
    openAgain: () => new DatabaseSync(file, { readOnly: true }),
    announce: (line) => lines.push(line),
  });
  return database;
}

const backups = async () => (await readdir(path.dirname(file))).filter((name) => name.endsWith('.backup'));

function versionOf(name: string): unknown {
  const database = new DatabaseSync(path.join(path.dirname(file), name));
  const found = {
    ...database.prepare('PRAGMA user_version').get(),
    ...database.prepare('SELECT run_id FROM runs').get(),
  };
  database.close();
  return found;
}

describe('migrateWithBackup', () => {
  test('announces in one line what it did, and keeps the file as it was beside it', async () => {
    storeOfVersion(3);
    migrateFile();
    expect(lines).toEqual([
      `${file} was written by an earlier Salvo: its tables were brought from version 3 to ${MIGRATIONS.length}. As it was before: salvo.db.v3.backup, in the same folder.`,
    ]);
    expect(await backups()).toEqual(['salvo.db.v3.backup']);
    expect(versionOf('salvo.db.v3.backup')).toEqual({ user_version: 3, run_id: 'r' });
    expect(versionOf('salvo.db')).toEqual({ user_version: MIGRATIONS.length, run_id: 'r' });
  });

  test.each([
    ['a new file', 0],
    ['a file of this version', MIGRATIONS.length],
  ])('says and keeps nothing for %s', async (_, version) => {
    storeOfVersion(version);
    migrateFile();
    expect([lines, await backups()]).toEqual([[], []]);
  });

  test('overwrites no earlier backup', async () => {
    storeOfVersion(3);
    const earlier = new DatabaseSync(`${file}.v3.backup`);
    earlier.exec('CREATE TABLE earlier (a)');
    earlier.close();
    migrateFile();
    expect(await backups()).toEqual(['salvo.db.v3-2.backup', 'salvo.db.v3.backup']);
  });

  test('changes nothing and leaves no backup if a step fails, and says what can be done', async () => {
    storeOfVersion(3);
    const database = new DatabaseSync(file);
    database.exec('DROP INDEX runs_by_time');
    database.close();
    expect(() => migrateFile()).toThrow(/from version 3 to \d+ \(no such index.*\), so the file was left as it is/);
    expect([lines, await backups()]).toEqual([[], []]);
    expect(versionOf('salvo.db')).toEqual({ user_version: 3, run_id: 'r' });
  });

  test('migrates nothing if the backup cannot be written', async () => {
    storeOfVersion(3);
    const database = new DatabaseSync(file);
    onTestFinished(() => database.close());
    const openAgain = () => {
      throw new Error('no space');
    };
    expect(() => migrateWithBackup(database, file, { openAgain, announce: (line) => lines.push(line) })).toThrow(
      'no space',
    );
    expect(versionOf('salvo.db')).toEqual({ user_version: 3, run_id: 'r' });
  });
});

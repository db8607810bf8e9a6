import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations.ts';

function tablesOf(database: DatabaseSync): unknown[] {
  return database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map((row) => row.name);
}

describe('migrate', () => {
  test('makes all tables in an empty database', () => {
    const database = new DatabaseSync(':memory:');
    migrate(database, 'salvo.db');
    const tables = [
      'blobs',
      'calibrations',
      'experiments',
      'game_code',
      'games',
      'leases',
      'run_scenarios',
      'runs',
      'traces',
      'trials',
    ];
    expect(tablesOf(database)).toEqual(tables);
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: MIGRATIONS.length });
  });

  test('runs only the steps a database has not run yet', () => {
    const database = new DatabaseSync(':memory:');
    migrate(database, 'salvo.db', ['CREATE TABLE one (a)']);
    database.exec('INSERT INTO one VALUES (1)');
    migrate(database, 'salvo.db', ['CREATE TABLE one (a)', 'CREATE TABLE two (b)']);
    expect(tablesOf(database)).toEqual(['one', 'two']);
    expect(database.prepare('SELECT a FROM one').all()).toEqual([{ a: 1 }]);
  });

  test('leaves a database as it was when a step fails', () => {
    const database = new DatabaseSync(':memory:');
    migrate(database, 'salvo.db', ['CREATE TABLE one (a)']);
    const steps = ['CREATE TABLE one (a)', 'CREATE TABLE two (b)', 'CREATE NONSENSE'];
    expect(() => migrate(database, 'salvo.db', steps)).toThrow(/syntax error/);
    expect(tablesOf(database)).toEqual(['one']);
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
  });
});

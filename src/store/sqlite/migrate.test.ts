import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { sampleStoredTrial, sampleSummary } from '../../../test/sample-run.ts';
import { sampleTrial } from '../../../test/sample-trial.ts';
import { scenarioSummarySchema } from '../../run/run-document.ts';
import { trialResultSchema } from '../../trial/trial-result.ts';
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
      'labels',
      'leases',
      'purges',
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

  test('makes a run of a version without cases a run whose scenarios have one case each', () => {
    const database = new DatabaseSync(':memory:');
    migrate(database, 'salvo.db', MIGRATIONS.slice(0, 4));
    const { result: _, ...trial } = sampleStoredTrial();
    const { case_index: __, case: ___, ...result } = sampleTrial({ status: 'failed' });
    const { cases: ____, skipped: _____, ...summary } = sampleSummary();
    database.exec(
      "INSERT INTO runs VALUES (1, 'run-1', 't', null, 'finished', 'PASS', 0, '0.1.0', null, '{\"trials\":3}')",
    );
    database
      .prepare("INSERT INTO run_scenarios VALUES ('run-1', 0, 'n', 'f', 'a', 'm', 'h', '{}', ?)")
      .run(JSON.stringify(summary));
    const insert = database.prepare("INSERT INTO trials VALUES ('run-1', 0, ?, null, ?, null)");
    insert.run(trial.trial_number, JSON.stringify(result));
    insert.run(2, null);
    migrate(database, 'salvo.db');
    const rows = database.prepare('SELECT * FROM trials ORDER BY trial_number').all();
    expect(rows).toMatchObject([
      { case_index: 0, case: null, trial_number: 1 },
      { case_index: 0, case: null, trial_number: 2, result: null },
    ]);
    expect(trialResultSchema.parse(JSON.parse(String(rows[0]?.result)))).toEqual(sampleTrial({ status: 'failed' }));
    const stored = database.prepare('SELECT summary FROM run_scenarios').get()?.summary;
    expect(scenarioSummarySchema.parse(JSON.parse(String(stored)))).toEqual(sampleSummary());
    expect(database.prepare('SELECT options FROM runs').get()?.options).toBe('{"trials":3,"cases":null}');
  });
});

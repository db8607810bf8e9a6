import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { sampleSummary } from '../../../../../test/sample-run.ts';
import { sampleTrial } from '../../../../../test/sample-trial.ts';
import { scenarioSummarySchema } from '../../run/record/run-document.ts';
import { trialResultSchema } from '../../trial/trial-result.ts';
import { scenarioFigures } from '../documents/run-rows.ts';
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
      'lost_costs',
      'purges',
      'results',
      'run_scenarios',
      'runs',
      'scenario_figures',
      'traces',
      'trials',
    ];
    expect(tablesOf(database)).toEqual(tables);
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: MIGRATIONS.length });
  });

  test('runs only the steps a database has not run yet', () => {
    const database = new DatabaseSync(':memory:');
    migrate(database, 'salvo.db', { migrations: ['CREATE TABLE one (a)'] });
    database.exec('INSERT INTO one VALUES (1)');
    migrate(database, 'salvo.db', { migrations: ['CREATE TABLE one (a)', 'CREATE TABLE two (b)'] });
    expect(tablesOf(database)).toEqual(['one', 'two']);
    expect(database.prepare('SELECT a FROM one').all()).toEqual([{ a: 1 }]);
  });

  test('leaves a database as it was when a step fails', () => {
    const database = new DatabaseSync(':memory:');
    migrate(database, 'salvo.db', { migrations: ['CREATE TABLE one (a)'] });
    const steps = ['CREATE TABLE one (a)', 'CREATE TABLE two (b)', 'CREATE NONSENSE'];
    expect(() => migrate(database, 'salvo.db', { migrations: steps })).toThrow(/syntax error/);
    expect(tablesOf(database)).toEqual(['one']);
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
  });

  test('leaves documents that are no JSON as they are, and changes the others', () => {
    const database = new DatabaseSync(':memory:');
    migrate(database, 'salvo.db', { migrations: MIGRATIONS.slice(0, 4) });
    for (const [seq, document] of [
      [1, '{"a":1}'],
      [2, '{"a":'],
    ] as const) {
      const id = `run-${seq}`;
      database
        .prepare("INSERT INTO runs VALUES (?, ?, 't', null, 'finished', 'PASS', 0, '0.1.0', null, ?)")
        .run(seq, id, document);
      database.prepare("INSERT INTO run_scenarios VALUES (?, 0, 'n', 'f', 'a', 'm', 'h', '{}', ?)").run(id, document);
      database.prepare('INSERT INTO trials VALUES (?, 0, 1, null, ?, null)').run(id, document);
    }
    migrate(database, 'salvo.db');
    const documents = database.prepare(
      `SELECT options, summary, result, figures FROM runs JOIN run_scenarios USING (run_id)
       JOIN scenario_figures USING (run_id) JOIN trials USING (run_id) JOIN results USING (result_id) ORDER BY seq`,
    );
    const [whole, damaged] = documents.all();
    expect(JSON.parse(String(whole?.summary))).toMatchObject({ a: 1, cases: [], gates: [] });
    expect(JSON.parse(String(whole?.result))).toEqual({ a: 1, case_index: 0, case: null });
    expect(damaged).toEqual({ options: '{"a":', summary: '{"a":', result: '{"a":', figures: '{"a":' });
  });

  test('makes a run of a version without cases a run whose scenarios have one case each', () => {
    const database = new DatabaseSync(':memory:');
    migrate(database, 'salvo.db', { migrations: MIGRATIONS.slice(0, 4) });
    const { case_index: _, case: __, ...result } = sampleTrial({ status: 'failed' });
    const { cases: ___, skipped: ____, ...summary } = sampleSummary();
    database.exec(
      "INSERT INTO runs VALUES (1, 'run-1', 't', null, 'finished', 'PASS', 0, '0.1.0', null, '{\"trials\":3}')",
    );
    database
      .prepare("INSERT INTO run_scenarios VALUES ('run-1', 0, '~n', 'f', 'a', 'm', 'h', '{}', ?)")
      .run(JSON.stringify(summary));
    const insert = database.prepare("INSERT INTO trials VALUES ('run-1', 0, ?, null, ?, null)");
    insert.run(1, null);
    insert.run(2, JSON.stringify({ ...result, trial_number: 2 }));
    insert.run(3, JSON.stringify({ ...result, trial_number: 3, status: 'passed' }));
    migrate(database, 'salvo.db');
    const rows = database
      .prepare('SELECT * FROM trials LEFT JOIN results USING (result_id) ORDER BY trial_number')
      .all();
    expect(rows).toMatchObject([
      { case_index: 0, case: null, trial_number: 1, status: null, result: null },
      { case_index: 0, case: null, trial_number: 2, status: 'failed' },
      { case_index: 0, case: null, trial_number: 3, status: 'passed' },
    ]);
    const results = rows.slice(1).map((row) => trialResultSchema.parse(JSON.parse(String(row.result))));
    const failed = sampleTrial({ status: 'failed', trial_number: 2 });
    expect(results).toEqual([failed, { ...failed, status: 'passed', trial_number: 3 }]);
    const stored = database.prepare('SELECT summary FROM run_scenarios').get()?.summary;
    expect(scenarioSummarySchema.parse(JSON.parse(String(stored)))).toEqual(sampleSummary());
    const figures = database.prepare('SELECT figures FROM scenario_figures').get()?.figures;
    const listed = scenarioFigures({ name: '~n', file: 'f', adapter: 'a', model: 'm' }, sampleSummary());
    expect(JSON.parse(String(figures))).toEqual({ ...listed, name: '~~n' });
    expect(database.prepare('SELECT options FROM runs').get()?.options).toBe('{"trials":3,"cases":null}');
  });
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openProjectStore } from '../../packages/salvo/src/app/project/open-project.ts';
import { runLines } from '../../packages/salvo/src/app/view/runs/run-lines.ts';
import type { TestDatabase } from '../postgres.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { restoreDatabase, restoreFile } from '../store/versions/restore-store.ts';
import { runCli } from './cli-fixture.ts';
import { sampleScenario } from './sample-scenario.ts';

/** What can happen to the documents of a run. */
const DAMAGES: [string, string][] = [
  [
    'a key of a summary',
    `UPDATE salvo.run_scenarios SET brief_summary = replace(brief_summary, '"trials_total"', '"x"')`,
  ],
  ['a summary that is no JSON', "UPDATE salvo.run_scenarios SET summary = '{', brief_summary = '{', figures = '{'"],
  ['options that are no JSON', "UPDATE salvo.runs SET options = '{'"],
  ['a status that nobody knows', "UPDATE salvo.runs SET status = 'paused'"],
  ['documents of a newer version', 'UPDATE salvo.runs SET document_version = 1000'],
  ['a result', "UPDATE salvo.trials SET result = '{'"],
];

let project: ProjectFixture;
let database: TestDatabase;
let env: Record<string, string>;
beforeEach(async () => {
  project = await projectFixture({
    'salvo.yaml': JSON.stringify({
      default_adapter: 'scripted',
      adapters: { house: { type: 'module', path: './judge.mjs' } },
      judge: { adapter: 'house', model: 'house-1', k: 1 },
    }),
    // Nothing is left to judge.
    'judge.mjs': 'export default () => ({})',
    'scenarios/weather.yaml': sampleScenario({ name: 'weather' }),
    // The latest run in the store is of this file.
    'judged.yaml': sampleScenario({
      name: 'judged',
      script: [{ content: 'GOOD' }],
      assertions: [{ type: 'judge', id: 'right', criteria: [{ name: 'correct', description: 'Is it right?' }] }],
    }),
  });
  database = await restoreDatabase('03-71fca01e.sql');
  env = { SALVO_DATABASE_URL: database.url };
});
afterEach(async () => {
  await database[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

const salvo = (...words: string[]) => runCli(words, { cwd: project.root, env });

/** Damages the second of the runs, and returns its id. */
async function damage(sql: string): Promise<string> {
  const [run] = await database.query('SELECT run_id FROM salvo.runs ORDER BY seq LIMIT 1 OFFSET 1');
  const id = String(run?.run_id);
  expect(await database.query(`${sql} WHERE run_id = $1 RETURNING 1`, [id])).not.toEqual([]);
  return id;
}

async function viewed() {
  const store = await openProjectStore(await project.project(), { env });
  const query = { offset: 0, limit: 10, filter: '', sort: 'created', descending: true } as const;
  const lines = await runLines(store, query);
  await store.close();
  return lines;
}

test.each(DAMAGES)('in PostgreSQL, a run with %s is no reason to refuse anything about the others', async (_, sql) => {
  const count = (await database.query('SELECT 1 FROM salvo.runs')).length;
  const id = await damage(sql);
  for (const words of [
    ['report', '--history'],
    ['compare', 'latest', 'latest'],
    ['plan', 'scenarios/weather.yaml'],
    ['replay'],
    ['run', '--estimate'],
    ['run', '--resume', 'latest'],
    ['db', 'prune', '--older-than', '36500d'],
  ]) {
    const { code, stderr } = await salvo(...words);
    expect([words, code, code === 0 ? '' : stderr]).toEqual([words, 0, '']);
  }
  const { total, unreadable } = await viewed();
  expect(total + unreadable.length).toBe(count);
  expect((await salvo('export', id, '--raw')).stdout).toContain(id);
  expect((await salvo('db', 'prune', '--unreadable')).stdout).toContain('Removed 1 run ');
  expect(await database.query('SELECT 1 FROM salvo.runs')).toHaveLength(count - 1);
});

test('a run of a newer version is one line of the history and of the list of the viewer', async () => {
  const id = await damage('UPDATE salvo.runs SET document_version = 1000');
  const why = 'written by a newer Salvo (version 1000); this one reads up to 1: update Salvo';
  expect((await salvo('report', '--history')).stderr).toContain(`Run ${id} of `);
  expect((await viewed()).unreadable).toMatchObject([{ run_id: id, why }]);
  const { code, stderr } = await salvo('report', id);
  expect([code, stderr.trim().split('\n').length]).toEqual([4, 1]);
  expect(stderr).toContain(why);
});

describe('db import', () => {
  test('takes over what can be read, and names what cannot', async () => {
    const damaged = restoreFile('13-def6a915.sql', project.path('old.db'), (old) => {
      const [run] = old.prepare('SELECT run_id FROM runs ORDER BY seq').all();
      const [experiment] = old.prepare('SELECT experiment_id FROM experiments').all();
      old.prepare("UPDATE runs SET options = '{' WHERE run_id = ?").run(String(run?.run_id));
      old.prepare("UPDATE experiments SET record = '{'").run();
      return { run: String(run?.run_id), experiment: String(experiment?.experiment_id), runs: rowsOf(old) };
    });
    const { code, stdout } = await salvo('db', 'import', 'old.db');
    expect(code).toBe(0);
    expect(stdout).toContain(`${damaged.runs - 1} run`);
    expect(stdout).toContain(`Left out, because they can't be read: ${damaged.run}, ${damaged.experiment}.`);
  });
});

function rowsOf(database: { prepare(sql: string): { all(): unknown[] } }): number {
  return database.prepare('SELECT 1 FROM runs').all().length;
}

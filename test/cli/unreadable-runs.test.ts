import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openProjectStore } from '../../packages/salvo/src/app/project/open-project.ts';
import { runLines } from '../../packages/salvo/src/app/view/runs/run-lines.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { runCli } from './cli-fixture.ts';
import { sampleScenario } from './sample-scenario.ts';

/** What can happen to the documents of a run. */
const DAMAGES: [string, string][] = [
  ['a key of a summary', `UPDATE run_scenarios SET summary = replace(summary, '"trials_total"', '"trials_totals"')`],
  ['a summary that is no JSON', "UPDATE run_scenarios SET summary = '{'"],
  ['options of a version that nobody knows', `UPDATE runs SET options = '{"of":"the future"}'`],
  ['options that are no JSON', "UPDATE runs SET options = '{'"],
  ['a status that nobody knows', "UPDATE runs SET status = 'paused'"],
  ['documents of a newer version', 'UPDATE runs SET document_version = 1000'],
  ['a result', "UPDATE results SET result = '[]' WHERE result_id IN (SELECT result_id FROM trials"],
];

let project: ProjectFixture;
beforeEach(async () => {
  project = await projectFixture({ 'salvo.yaml': '', 'scenarios/sample.yaml': sampleScenario() });
  for (let run = 0; run < 3; run += 1) expect(await salvo('run', '-n', '2')).toMatchObject({ code: 0 });
});
afterEach(() => project[Symbol.asyncDispose]());

const salvo = (...words: string[]) => runCli(words, { cwd: project.root });

function inStore<T>(use: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(project.path('.salvo/salvo.db'));
  try {
    return use(database);
  } finally {
    database.close();
  }
}

/** Damages the run in the middle, and returns its id. */
function damage(sql: string): string {
  return inStore((database) => {
    const id = String(database.prepare('SELECT run_id FROM runs ORDER BY seq LIMIT 1 OFFSET 1').get()?.run_id);
    const where = sql.includes('(') && sql.startsWith('UPDATE results') ? ' WHERE run_id = ?)' : ' WHERE run_id = ?';
    expect(database.prepare(sql + where).run(id).changes).toBeGreaterThan(0);
    return id;
  });
}

describe.each(DAMAGES)('a run with a damaged document: %s', (_, sql) => {
  test('is no reason to refuse anything about the other runs', async () => {
    damage(sql);
    for (const words of [
      ['report'],
      ['report', '--history'],
      ['compare'],
      ['plan', 'scenarios/sample.yaml'],
      ['replay'],
      ['run', '--estimate'],
      ['run', '--resume', 'latest'],
      ['db', 'prune', '--older-than', '36500d'],
      ['run', '-n', '2'],
    ]) {
      const { code, stderr } = await salvo(...words);
      expect([words, code, code === 0 ? '' : stderr]).toEqual([words, 0, '']);
    }
  });

  test('can be exported as it is stored, and removed', async () => {
    const id = damage(sql);
    const exported = await salvo('export', id, '--raw');
    const rows = exported.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ table }) => table)).toEqual(['runs', 'run_scenarios', 'trials', 'trials']);
    expect(rows[0].row.run_id).toBe(id);
    expect(rows[2].row.trace).toMatchObject({ final_content: 'Done.' });
    expect((await salvo('db', 'prune', '--unreadable')).stdout).toContain('Removed 1 run ');
  });
});

describe('a run that cannot be read', () => {
  test('is one line of the history and of the list of the viewer', async () => {
    const id = damage(DAMAGES[0]?.[1] ?? '');
    const { stdout, stderr } = await salvo('report', '--history', '--json');
    expect(JSON.parse(stdout).runs).toHaveLength(2);
    expect(stderr).toContain(`Run ${id} of `);
    expect(stderr).toContain(`salvo export ${id} --raw`);
    damage("UPDATE runs SET options = '{'");
    const store = await openProjectStore(await project.project(), { env: {} });
    const query = { offset: 0, limit: 10, filter: '', sort: 'created', descending: true } as const;
    const lines = await runLines(store, query);
    expect(lines).toMatchObject({ total: 2, unreadable: [{ run_id: id, why: 'it is no JSON' }] });
    expect(await runLines(store, query)).toEqual(lines);
    await store.close();
  });

  test('says what is wrong with it and what can be done, if it is asked for', async () => {
    const id = damage(DAMAGES[0]?.[1] ?? '');
    const { code, stderr } = await salvo('report', id);
    expect(code).toBe(4);
    expect(stderr).toMatch(/can't be read \(trials_total: .*salvo db prune --unreadable/s);
  });

  test('is removed by prune --unreadable, and no other run is', async () => {
    const id = damage(DAMAGES[0]?.[1] ?? '');
    expect((await salvo('db', 'prune', '--unreadable', '--dry-run')).stdout).toBe(
      "Would remove 1 run and 0 experiments that can't be read.\n",
    );
    expect((await salvo('db', 'prune', '--unreadable')).stdout).toContain('Removed 1 run and 0 experiments');
    expect(inStore((database) => database.prepare('SELECT run_id FROM runs').all())).toHaveLength(2);
    expect((await salvo('report', id)).stderr).toContain('There is no run');
  });
});

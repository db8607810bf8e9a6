import { afterEach, beforeEach, expect, test } from 'vitest';
import { openProjectStore } from '../../packages/salvo/src/app/project/open-project.ts';
import { runLines } from '../../packages/salvo/src/app/view/runs/run-lines.ts';
import { runCli } from '../cli/cli-fixture.ts';
import { sampleScenario } from '../cli/sample-scenario.ts';
import { createDatabase } from '../postgres.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { restoreDatabase, restoreFile } from '../store/versions/restore-store.ts';

/** What happened to a document of the oldest run, before a Salvo of today has seen the store. */
const DAMAGES = {
  options: "UPDATE runs SET options = '{'",
  summary: "UPDATE run_scenarios SET summary = '{'",
};
const FILES = ['03-542823ce.sql', '05-356de53b.sql', '09-dd539409.sql', '12-5b4c891c.sql'];

let project: ProjectFixture;
beforeEach(async () => {
  project = await projectFixture({
    'salvo.yaml': 'default_adapter: scripted\n',
    'scenarios/weather.yaml': sampleScenario({ name: 'weather' }),
  });
});
afterEach(() => project[Symbol.asyncDispose]());

/** All ids, the oldest first. The documents of the first are damaged. */
function damagedFile(name: string, file: string, damage: string): string[] {
  return restoreFile(name, project.path(file), (database) => {
    const ids = database.prepare('SELECT run_id FROM runs ORDER BY seq').all();
    const [first = '', ...others] = ids.map(({ run_id }) => String(run_id));
    database.prepare(`${damage} WHERE run_id = ?`).run(first);
    return [first, ...others];
  });
}

async function expectOneUnreadable([first = '', ...others]: string[], env: Record<string, string> = {}): Promise<void> {
  const salvo = (...words: string[]) => runCli(words, { cwd: project.root, env });
  const history = await salvo('report', '--history', '--json');
  expect(JSON.parse(history.stdout).runs.map((run: { run_id: string }) => run.run_id)).toEqual(others.toReversed());
  expect(history.stderr).toContain(`Run ${first} of `);
  for (const words of [
    ['compare', others[0] ?? '', others.at(-1) ?? ''],
    ['plan', 'scenarios/weather.yaml'],
    ['db', 'prune', '--older-than', '3650d'],
  ]) {
    const { code, stderr } = await salvo(...words);
    expect([words, code === 4 ? stderr : '']).toEqual([words, '']);
  }
  const store = await openProjectStore(await project.project(), { env });
  const query = { offset: 0, limit: 10, filter: '', sort: 'created', descending: true } as const;
  const { total, unreadable } = await runLines(store, query);
  await store.close();
  // Newer stores have the figures of a list apart from the summary, so such a run may still be a line of the list.
  expect(total + unreadable.length).toBe(others.length + 1);
  expect(unreadable.map(({ run_id }) => run_id)).toEqual(total === others.length ? [first] : []);
  expect((await salvo('db', 'prune', '--unreadable')).stdout).toContain('Removed 1 run ');
}

test.each(FILES.flatMap((name) => Object.entries(DAMAGES).map(([what, sql]) => [name, what, sql] as const)))(
  'the old store %s whose oldest run has damaged %s is read but for that run',
  async (name, _, sql) => {
    await expectOneUnreadable(damagedFile(name, '.salvo/salvo.db', sql));
  },
);

test.each(['01-344e11d5.sql', '02-def6a915.sql'])(
  'the old PostgreSQL store %s with a damaged run is read but for that run',
  async (name) => {
    await using database = await restoreDatabase(name);
    const rows = await database.query('SELECT run_id FROM salvo.runs ORDER BY seq');
    const ids = rows.map(({ run_id }) => String(run_id));
    await database.query("UPDATE salvo.runs SET options = '{' WHERE run_id = $1", [ids[0]]);
    await expectOneUnreadable(ids, { SALVO_DATABASE_URL: database.url });
  },
);

test('an old store with a damaged run is imported but for that run', async () => {
  await using database = await createDatabase();
  const [first, ...others] = damagedFile('05-356de53b.sql', 'old.db', DAMAGES.options);
  const env = { SALVO_DATABASE_URL: database.url };
  const { code, stdout } = await runCli(['db', 'import', 'old.db'], { cwd: project.root, env });
  expect(code).toBe(0);
  expect(stdout).toContain(`Left out, because they can't be read: ${first}.`);
  const imported = await database.query('SELECT run_id FROM salvo.runs ORDER BY seq');
  expect(imported.map(({ run_id }) => run_id)).toEqual(others);
});

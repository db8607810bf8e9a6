import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runLines } from '../../src/app/view/runs/run-lines.ts';
import { MIGRATIONS } from '../../src/store/sqlite/migrations.ts';
import { runCli, storeOf } from '../cli/cli-fixture.ts';
import { sampleScenario } from '../cli/sample-scenario.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';

const FOLDER = path.join(import.meta.dirname, 'versions');
const VERSIONS = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'));

let project: ProjectFixture;
beforeEach(async () => {
  project = await projectFixture({
    'salvo.yaml': 'default_adapter: scripted\n',
    'scenarios/weather.yaml': sampleScenario({ name: 'weather' }),
  });
});
afterEach(() => project[Symbol.asyncDispose]());

const salvo = (...words: string[]) => runCli(words, { cwd: project.root });

interface WrittenRun {
  run_id: string;
  verdict: string;
  exit_code: number;
}

/** Puts the store of a version into the project, and returns its runs as that version wrote them. */
function restore(name: string): { runs: WrittenRun[]; experiments: string[] } {
  mkdirSync(project.path('.salvo'));
  const database = new DatabaseSync(project.path('.salvo/salvo.db'));
  try {
    database.exec(readFileSync(path.join(FOLDER, name), 'utf8'));
    const rows = database.prepare('SELECT run_id, verdict, exit_code FROM runs ORDER BY seq DESC').all();
    const hasExperiments = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'experiments'").get();
    const played = hasExperiments ? database.prepare('SELECT experiment_id FROM experiments').all() : [];
    return {
      runs: rows.map(({ run_id, verdict, exit_code }) => ({
        run_id: String(run_id),
        verdict: String(verdict),
        exit_code: Number(exit_code),
      })),
      experiments: played.map(({ experiment_id }) => String(experiment_id)),
    };
  } finally {
    database.close();
  }
}

test('there is a store of every version of the tables', () => {
  const versions = new Set(VERSIONS.map((name) => Number.parseInt(name, 10)));
  expect([...versions].sort((a, b) => a - b)).toEqual(MIGRATIONS.map((_, index) => index + 1));
});

describe.each(VERSIONS)('the store %s', (name) => {
  test('has each run in the history and in the list of the viewer, with the verdict that it got', async () => {
    const { runs } = restore(name);
    expect(runs).not.toEqual([]);
    const { code, stdout, stderr } = await salvo('report', '--history', '--json');
    expect([code, stderr.includes("can't be read")]).toEqual([0, false]);
    expect(JSON.parse(stdout)).toMatchObject(runs);
    expect((await salvo('report', '--history')).code).toBe(0);
    await using store = await storeOf(project);
    const query = { offset: 0, limit: 10, filter: '', sort: 'created', descending: true } as const;
    expect(await runLines(store, query)).toMatchObject({ total: runs.length, unreadable: [] });
  });

  test('has every run whole: reported, exported and judged again', async () => {
    for (const { run_id, exit_code, verdict } of restore(name).runs) {
      const reported = await salvo('report', run_id, '--json');
      expect([reported.code, JSON.parse(reported.stdout).verdict]).toEqual([exit_code, verdict]);
      for (const words of [
        ['report', run_id, '--full'],
        ['replay', run_id],
        ['export', run_id],
      ]) {
        const { code, stderr } = await salvo(...words);
        expect([words, code === 4 ? stderr : '']).toEqual([words, '']);
      }
    }
  });

  test('can be compared with, planned by, resumed, pruned', async () => {
    const { runs, experiments } = restore(name);
    for (const words of [
      ['compare', runs[0]?.run_id ?? '', runs.at(-1)?.run_id ?? ''],
      ['plan', 'scenarios/weather.yaml'],
      ['run', '--estimate'],
      ['run', '-n', '1'],
      ...experiments.map((id) => ['experiment', '--show', id]),
      ['db', 'prune', '--older-than', '1d'],
    ]) {
      const { code, stderr } = await salvo(...words);
      expect([words, code === 4 ? stderr : '']).toEqual([words, '']);
    }
  });
});

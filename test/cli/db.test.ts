import { randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openProjectStore } from '../../packages/salvo/src/app/project/open-project.ts';
import type { DbCommandOptions } from '../../packages/salvo/src/cli/program/command-options.ts';
import { dbCommand } from '../../packages/salvo/src/cli/results/db.ts';
import { baselineText } from '../../packages/salvo/src/run/compare/baseline.ts';
import { comparisonsOf } from '../../packages/salvo/src/store/comparison-tables.ts';
import { judgesOf } from '../../packages/salvo/src/store/judge-tables.ts';
import type { Store } from '../../packages/salvo/src/store/store.ts';
import { SalvoError } from '../../packages/salvo/src/text/errors/salvo-error.ts';
import { experimentsOf } from '../../packages/salvo-arena/src/store/experiment-tables.ts';
import {
  sampleExperiment,
  sampleGame,
  sampleOutcome,
  sampleSheet,
} from '../../packages/salvo-arena/test/arena-experiment/sample-experiment.ts';
import { createDatabase, type TestDatabase } from '../postgres.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { sampleCalibration } from '../sample-calibration.ts';
import { sampleComparison } from '../sample-comparison.ts';
import { sampleLabel } from '../sample-label.ts';
import { sampleRun, sampleStoredTrial } from '../sample-run.ts';
import { sampleSupportTrace } from '../sample-trace.ts';
import { sampleTrial } from '../sample-trial.ts';

const PASSWORD = 'pa55-word-of-the-database';
const TOKEN = 'a token that only this machine knows';
const never = new AbortController().signal;
let database: TestDatabase;
let fixture: ProjectFixture;
let env: Record<string, string>;
const role = `salvo_owner_${randomBytes(4).toString('hex')}`;

beforeAll(async () => {
  database = await createDatabase();
  await database.query(`CREATE ROLE ${role} LOGIN SUPERUSER PASSWORD '${PASSWORD}'`);
  const url = Object.assign(new URL(database.url), { username: role, password: PASSWORD });
  fixture = await projectFixture({ 'salvo.yaml': `database_url: ${url.href.replace(PASSWORD, `\${DB_PASSWORD}`)}\n` });
  env = { DB_PASSWORD: PASSWORD, MY_API_KEY: TOKEN };
  await fillFile();
});
afterAll(async () => {
  await database.query(`REASSIGN OWNED BY ${role} TO CURRENT_USER`);
  await database.query(`DROP ROLE ${role}`);
  await database[Symbol.asyncDispose]();
  await fixture[Symbol.asyncDispose]();
});

/** A store in a file, as a project without a database has one. */
async function fillFile(): Promise<void> {
  await using local = await projectFixture();
  const store = await openProjectStore(await local.project(), { env: {} });
  const content = `${TOKEN} and ${PASSWORD} `.repeat(20);
  for (const [run_id, year] of [
    ['old', 2020],
    ['base', 2020],
    ['new', 2099],
    ['begun', 2020],
  ] as const) {
    const status = run_id === 'begun' ? ('running' as const) : ('finished' as const);
    const finished_at = status === 'running' ? null : `${year}-01-02T00:00:00.000Z`;
    await store.createRun(sampleRun({ run_id, created_at: `${year}-01-01T00:00:00.000Z`, finished_at, status }));
    const trace_id = await store.saveTrace(sampleSupportTrace({ final_content: `${run_id} ${content}` }));
    await store.saveTrial(sampleStoredTrial({ run_id, trace_id, result: sampleTrial({ trace_id }) }));
    await store.saveTrial(sampleStoredTrial({ run_id, trial_number: 2 }));
  }
  await experimentsOf(store).saveExperiment(
    sampleExperiment({ status: 'finished', finished_at: '2020-01-02T00:00:00.000Z' }),
  );
  await experimentsOf(store).saveGame(sampleGame(), sampleSheet());
  await experimentsOf(store).saveCode('exp-1', 'key', sampleOutcome());
  await judgesOf(store).saveLabel(sampleLabel());
  await judgesOf(store).saveCalibration(sampleCalibration());
  await comparisonsOf(store).saveComparison(sampleComparison());
  await store.close();
  await fixture.write('salvo.db', await readFile(local.path('.salvo/salvo.db')));
}

async function db(options: Partial<DbCommandOptions> & Pick<DbCommandOptions, 'action'>, given = env) {
  const printed: string[] = [];
  const output = { write: (text: string) => void printed.push(text), isTTY: false, columns: 80, color: false };
  const terminal = { cwd: fixture.root, env: given, stdout: output, stderr: output, stop: never, abort: never };
  try {
    const code = await dbCommand({ unreadable: false, dryRun: false, json: false, quiet: true, ...options }, terminal);
    return { code, printed: printed.join('') };
  } catch (error) {
    if (!(error instanceof SalvoError)) throw error;
    return { code: error.code, printed: error.message };
  }
}

async function withStore<T>(use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openProjectStore(await fixture.project(), { env });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

describe('salvo db', () => {
  test('refuses what it cannot do, and says what to do', async () => {
    expect(await db({ action: 'status' })).toMatchObject({ code: 'RUNS_MISSING' });
    expect((await db({ action: 'import' })).printed).toContain('salvo db import .salvo/salvo.db');
    expect((await db({ action: 'prune' })).printed).toContain('--older-than 90d');
    expect((await db({ action: 'import', file: 'nothing.db' })).printed).toContain('There is no file');
    await writeFile(fixture.path('text.db'), 'no database '.repeat(1000));
    expect(await db({ action: 'import', file: 'text.db' })).toMatchObject({ code: 'STORE_CORRUPT' });
    expect(await db({ action: 'migrate' }, {})).toMatchObject({
      code: 'DATABASE_URL_INVALID',
      printed: expect.stringContaining('DB_PASSWORD'),
    });
    const wrong = await db({ action: 'migrate' }, { DB_PASSWORD: 'another-password' });
    expect(wrong).toMatchObject({
      code: 'DATABASE_LOGIN_REFUSED',
      printed: expect.not.stringContaining('another-password'),
    });
  });

  test('import copies everything once, in the order of its creation, and no secret of this project', async () => {
    expect((await db({ action: 'import', file: 'salvo.db' })).printed).toMatch(
      /4 runs, 1 experiment, 1 label, 1 calibration, 1 comparison\.\n$/,
    );
    await withStore(async (store) => {
      expect((await store.listRuns()).map(({ run_id }) => run_id)).toEqual(['begun', 'new', 'base', 'old']);
      const [trial, second] = await Array.fromAsync(store.trials('new'));
      expect(trial?.result).toEqual(sampleTrial({ trace_id: trial?.trace_id ?? '' }));
      expect(second).toEqual(sampleStoredTrial({ run_id: 'new', trial_number: 2 }));
      const trace = await store.getTrace(trial?.trace_id ?? '');
      expect(trace?.final_content).toMatch(/^new \[REDACTED/);
      expect(await experimentsOf(store).getGame('exp-1', sampleGame().game_id)).toEqual({
        game: sampleGame(),
        sheet: sampleSheet(),
      });
      expect(await experimentsOf(store).getCode('exp-1', 'key')).toEqual(sampleOutcome());
      expect(await judgesOf(store).listLabels()).toEqual([sampleLabel()]);
      expect(await judgesOf(store).listCalibrations()).toEqual([sampleCalibration()]);
      expect(await comparisonsOf(store).listComparisons()).toEqual([sampleComparison()]);
      await store.updateRun('new', { exit_code: 1 });
    });
    const again = await db({ action: 'import', file: 'salvo.db' });
    expect(again.printed).toContain(
      '0 runs, 0 experiments, 0 labels, 0 calibrations, 0 comparisons.\nThere already, and left as they were: 5.',
    );
    expect(await withStore(async (store) => (await store.getRun('new'))?.exit_code)).toBe(1);
  });

  test('status says what is stored, where, and without the password', async () => {
    const { printed } = await db({ action: 'status' });
    expect(printed).toMatch(/PostgreSQL \d+.*tables of version 3/);
    expect(printed).toMatch(/runs +4/);
    expect(printed).not.toContain(PASSWORD);
    expect(JSON.parse((await db({ action: 'status', json: true })).printed)).toMatchObject({
      under_way: [],
      work: null,
    });
  });

  test('no secret is in any row of any table', async () => {
    const tables = await database.query(`SELECT schemaname, tablename FROM pg_tables WHERE schemaname LIKE 'salvo%'`);
    expect(tables.length).toBeGreaterThan(10);
    for (const { schemaname, tablename } of tables) {
      const rows = await database.query(`SELECT * FROM ${schemaname}.${tablename}`);
      const dumped = rows
        .flatMap((row) => Object.values(row))
        .map((value) => (Buffer.isBuffer(value) ? value.toString() : String(value)));
      expect(dumped.filter((text) => text.includes(PASSWORD) || text.includes(TOKEN))).toEqual([]);
    }
  });

  test('prune removes what ended before, and never the run of the baseline or one that has not ended', async () => {
    const head = { salvo_baseline: 1, salvo_version: '1', run_id: 'base', created_at: '', commit: null } as const;
    await writeFile(fixture.path('salvo-baseline.json'), baselineText({ ...head, scenarios: [] }));
    const olderThan = 24 * 3_600_000;
    expect((await db({ action: 'prune', olderThan, dryRun: true })).printed).toMatch(
      /^Would remove 1 run and 1 experiment that ended before .*\nRun base is kept/,
    );
    expect(await withStore(async (store) => (await store.listRuns()).length)).toBe(4);
    await writeFile(fixture.path('salvo-baseline.json'), '{');
    expect(await db({ action: 'prune', olderThan })).toMatchObject({ code: 'BASELINE_UNREADABLE' });
    await writeFile(fixture.path('salvo-baseline.json'), baselineText({ ...head, scenarios: [] }));
    expect((await db({ action: 'prune', olderThan })).printed).toMatch(/^Removed 1 run and 1 experiment/);
    expect((await db({ action: 'prune', olderThan })).printed).toMatch(/^Removed 0 runs and 0 experiments/);
    const left = await withStore(async (store) => (await store.listRuns()).map(({ run_id }) => run_id));
    expect(left).toEqual(['begun', 'new', 'base']);
  });

  test('nothing of it is in a file of the project', async () => {
    await expect(stat(fixture.path('.salvo'))).rejects.toThrow('ENOENT');
  });
});

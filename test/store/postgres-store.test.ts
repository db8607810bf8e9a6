import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Fence } from '../../packages/salvo/src/queue/work-queue.ts';
import { createRedactor } from '../../packages/salvo/src/secrets/redactor.ts';
import { redactingStore } from '../../packages/salvo/src/store/redaction/redacting-store.ts';
import type { Store } from '../../packages/salvo/src/store/store.ts';
import { migrateSchema } from '../../packages/salvo-postgres/src/postgres/migrate-schema.ts';
import { openPostgres, type Postgres } from '../../packages/salvo-postgres/src/postgres/postgres.ts';
import { openPostgresStore } from '../../packages/salvo-postgres/src/store/open-postgres-store.ts';
import { postgresStore } from '../../packages/salvo-postgres/src/store/postgres-store.ts';
import { STORE_PART } from '../../packages/salvo-postgres/src/store/schema.ts';
import { createMemoryQueue } from '../../packages/salvo-postgres/test/queue/memory-queue.ts';
import { createDatabase, type TestDatabase } from '../postgres.ts';
import { sampleRun, sampleStoredTrial } from '../sample-run.ts';
import { sampleSupportTrace } from '../sample-trace.ts';
import { sampleTrial } from '../sample-trial.ts';
import { leaseContract } from './lease-contract.ts';
import { storeContract } from './store-contract.ts';

let database: TestDatabase;
let postgres: Postgres;

beforeAll(async () => {
  database = await createDatabase();
  postgres = await openPostgres({ url: database.url });
  await migrateSchema(postgres, [STORE_PART]);
});
afterAll(async () => {
  await postgres.close();
  await database[Symbol.asyncDispose]();
});

const WITHOUT_MODULES = { queue: createMemoryQueue(), prepare: async () => {} };

/** A store on the connections of all tests. */
function openStore(leaseMs?: number): Store {
  const shared = { ...postgres, close: async () => {} };
  return postgresStore({ ...WITHOUT_MODULES, postgres: shared, ...(leaseMs !== undefined && { leaseMs }) });
}

/** All tables are emptied: that is much faster than a new database. */
async function emptyStore(): Promise<Store> {
  const tables = 'labels, calibrations, trials, run_scenarios, runs, traces, blobs, leases';
  await postgres.transaction((sql) =>
    sql.executeSql(
      tables
        .split(', ')
        .map((table) => `DELETE FROM salvo.${table}`)
        .join('; '),
    ),
  );
  return openStore();
}

storeContract('a PostgreSQL store', async () => {
  const redactor = createRedactor({ customPatterns: ['CUST-\\d+'], secrets: ['a very secret value'] });
  return redactingStore(await emptyStore(), { redactor, mode: 'full' });
});

leaseContract('a PostgreSQL store', async () => {
  await emptyStore();
  return {
    open: async (leaseMs) => openStore(leaseMs),
    async change({ elsewhere, expires, beat }) {
      if (elsewhere)
        await postgres.query(`UPDATE salvo.leases SET holder = (holder::jsonb || '{"place": "elsewhere:1"}')::text`);
      const time = expires === 'long ago' ? `'epoch'` : `expires_at + interval '30 years'`;
      if (expires) await postgres.query(`UPDATE salvo.leases SET expires_at = ${time}`);
      if (beat !== undefined) await postgres.query('UPDATE salvo.leases SET beat = $1', [beat]);
    },
    beat: async () => Number((await postgres.query('SELECT beat FROM salvo.leases'))[0]?.beat),
  };
});

/** A job that this worker has until `lose`. */
function fenceOf(): Fence & { lose(): void; ended: number } {
  let isHeld = true;
  return {
    ended: 0,
    holding: () => (isHeld ? 'SELECT' : 'SELECT WHERE false'),
    async end() {
      if (isHeld) this.ended += 1;
      return isHeld;
    },
    lose() {
      isHeld = false;
    },
  };
}

describe('what workers write', () => {
  const { trace_id: _, result: __, ...trial } = sampleStoredTrial();
  const place = { scenario: 0, case: 0, trial: 1 };

  async function begun() {
    const store = await emptyStore();
    const { workforce } = store;
    if (!workforce) throw new Error('a store without workers');
    await store.createRun(sampleRun());
    // The lead has the lease of the run: workers write all the same.
    const lease = await openStore().claim({ kind: 'run', id: 'run-1' });
    return { store, workforce, [Symbol.asyncDispose]: () => lease[Symbol.asyncDispose]() };
  }

  test('only a result ends the job', async () => {
    await using work = await begun();
    const fence = fenceOf();
    const recorder = work.workforce.ofJob(fence);
    expect(await recorder.getTrial('run-1', place)).toBeNull();
    const trace_id = await recorder.saveTrace(sampleSupportTrace(), trial);
    await recorder.saveTrial({ ...trial, trace_id, result: null });
    expect(fence.ended).toBe(0);
    await recorder.saveTrial({ ...trial, trace_id, result: sampleTrial({ trace_id }) });
    expect(fence.ended).toBe(1);
    expect((await work.store.getTrial('run-1', place))?.result).toEqual(sampleTrial({ trace_id }));
  });

  test('nothing, once the job is no longer theirs', async () => {
    await using work = await begun();
    const fence = fenceOf();
    const recorder = work.workforce.ofJob(fence);
    fence.lose();
    const refused = { code: 'JOB_LOST', outcome: 'unscored' };
    await expect(recorder.saveTrace(sampleSupportTrace(), trial)).rejects.toMatchObject(refused);
    await expect(recorder.saveTrial(sampleStoredTrial({ result: sampleTrial() }))).rejects.toMatchObject(refused);
    expect(await work.store.getTrial('run-1', place)).toBeNull();
    expect(await work.store.findTraceIds('', 1)).toEqual([]);
  });

  test('what a lost attempt cost is kept, also by whoever repeats the trial meanwhile', async () => {
    await using work = await begun();
    const { store, workforce } = work;
    const first = workforce.ofJob(fenceOf());
    expect(await first.getTrial('run-1', place)).toBeNull();
    // Before whoever repeats it has stored anything.
    await store.workforce?.addEarlierCost(trial, { cost_usd: 9, judge_cost_usd: 0 });
    expect(await store.getTrial('run-1', place)).toMatchObject({ trace_id: null, result: null });
    const trace_id = await first.saveTrace(sampleSupportTrace(), trial);
    await first.saveTrial({ ...trial, trace_id, result: sampleTrial({ trace_id }), earlier_cost: null });
    const second = workforce.ofJob(fenceOf());
    const read = await second.getTrial('run-1', place);
    expect(read).toMatchObject({ trace_id, earlier_cost: { cost_usd: 9, judge_cost_usd: 0 } });
    await workforce.addEarlierCost(trial, { cost_usd: 2, judge_cost_usd: 0.5 });
    const stored = await second.saveTrial({
      ...trial,
      ...{ trace_id, result: sampleTrial({ trace_id }), earlier_cost: { cost_usd: 10, judge_cost_usd: null } },
    });
    const ofJudges = { judge_cost_usd: null, judge_cost_at_least: { usd: 0.5, calls_unknown: 1 } };
    expect(stored.earlier_cost).toEqual({ cost_usd: 12, ...ofJudges });
    expect((await store.getTrial('run-1', place))?.earlier_cost).toEqual({ cost_usd: 12, ...ofJudges });
    const third = workforce.ofJob(fenceOf());
    await third.getTrial('run-1', place);
    await workforce.addEarlierCost(trial, { cost_usd: 4, judge_cost_usd: 0 });
    await third.saveTrace(sampleSupportTrace(), { ...trial, earlier_cost: stored.earlier_cost });
    expect((await store.getTrial('run-1', place))?.earlier_cost).toEqual({ cost_usd: 16, ...ofJudges });
  });

  test('the lead reads everything that changed since it last looked, whatever the order of commits', async () => {
    await using work = await begun();
    const { store, workforce } = work;
    const recorder = workforce.ofJob(fenceOf());
    await recorder.saveTrial(sampleStoredTrial({ trial_number: 1 }));
    let cursor = await workforce.cursor();
    const changed = async () => {
      const numbers: number[] = [];
      for (;;) {
        const page = await workforce.changedTrials('run-1', cursor);
        cursor = page.cursor;
        if (page.results.length === 0) return numbers;
        numbers.push(...page.results.map(({ trial_number }) => trial_number));
      }
    };
    expect(await changed()).toEqual([]);
    const [wait, begin] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = workforce.ofJob({
      holding: () => 'SELECT',
      async end(sql) {
        // Now it has the older number of the two.
        await sql.executeSql('SELECT pg_current_xact_id()');
        begin.resolve();
        await wait.promise;
        return true;
      },
    });
    const late = slow.saveTrial(sampleStoredTrial({ trial_number: 2, result: sampleTrial({ trial_number: 2 }) }));
    await begin.promise;
    await recorder.saveTrial(sampleStoredTrial({ trial_number: 3 }));
    expect(await changed()).toEqual([3]);
    wait.resolve();
    await late;
    expect(await changed()).toEqual([2]);
    await store.workforce?.addEarlierCost(trial, { cost_usd: 1, judge_cost_usd: 0 });
    expect(await changed()).toEqual([1]);
    const many = Array.from({ length: 1100 }, (_, index) => index + 10);
    await postgres.query(
      `INSERT INTO salvo.trials SELECT run_id, scenario_index, case_index, n, "case", trace_id, result, earlier_cost, status,
         outcome, pg_current_xact_id() FROM salvo.trials, unnest($1::integer[]) AS n WHERE trial_number = 1`,
      [many],
    );
    expect((await changed()).toSorted((a, b) => a - b)).toEqual(many);
  });
});

test('a commit that got no answer is repeated, and has its effect once', async () => {
  await emptyStore();
  const twice: Postgres = {
    ...postgres,
    close: async () => {},
    async transaction(work, around) {
      await postgres.transaction(work, around);
      return await postgres.transaction((sql) => work({ ...sql, isRepeated: true }), around);
    },
  };
  const store = postgresStore({ ...WITHOUT_MODULES, postgres: twice });
  await store.createRun(sampleRun());
  await store.deleteRun('run-1');
  await store.restoreRun('run-1');
  const { trace_id: _, result: __, ...trial } = sampleStoredTrial();
  await store.saveTrace(sampleSupportTrace(), trial);
  const { workforce } = store;
  await workforce?.addEarlierCost(trial, { cost_usd: 1, judge_cost_usd: 0 });
  let isEnded = false;
  const end = async () => {
    const wasEnded = isEnded;
    isEnded = true;
    return !wasEnded;
  };
  const recorder = workforce?.ofJob({ holding: () => 'SELECT', end });
  const read = await recorder?.getTrial('run-1', { scenario: 0, case: 0, trial: 1 });
  expect(read?.earlier_cost).toEqual({ cost_usd: 1, judge_cost_usd: 0 });
  const result = { ...sampleStoredTrial(read ?? {}), result: sampleTrial({ trace_id: read?.trace_id ?? '' }) };
  await expect(recorder?.saveTrial(result)).resolves.toEqual(result);
  // Another result was not stored by this attempt, so the job is lost.
  const other = { ...result, result: { ...result.result, score: 0.123 } };
  await expect(recorder?.saveTrial(other)).rejects.toMatchObject({ code: 'JOB_LOST' });
  expect(await Array.fromAsync(store.trials('run-1'))).toEqual([result]);
});

describe('opening a database', () => {
  test('without our tables, to read: nothing is stored, and nothing is created', async () => {
    await using empty = await createDatabase();
    await expect(openPostgresStore({ url: empty.url, mustExist: true })).rejects.toMatchObject({
      code: 'RUNS_MISSING',
    });
    const missing = { code: 'DATABASE_TABLES_TOO_OLD', message: expect.stringContaining('salvo db migrate') };
    await expect(openPostgresStore({ url: empty.url, migrate: false })).rejects.toMatchObject(missing);
    const role = `salvo_worker_${randomBytes(4).toString('hex')}`;
    await empty.query(`CREATE ROLE ${role} LOGIN PASSWORD 'weak'`);
    const url = Object.assign(new URL(empty.url), { username: role, password: 'weak' }).href;
    await expect(openPostgresStore({ url })).rejects.toMatchObject(missing);
    await empty.query(`DROP ROLE ${role}`);
    expect(await empty.query(`SELECT 1 FROM pg_namespace WHERE nspname = 'salvo'`)).toEqual([]);
    const stores = await Promise.all([1, 2, 3].map(() => openPostgresStore({ url: empty.url })));
    expect(await stores[0]?.listRuns()).toEqual([]);
    for (const store of stores) await store.close();
    await empty.query('UPDATE salvo.schema_parts SET version = 99');
    await expect(openPostgresStore({ url: empty.url })).rejects.toMatchObject({ code: 'DATABASE_TABLES_TOO_NEW' });
  });
});

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRedactor } from '../../packages/salvo/src/secrets/redactor.ts';
import { redactingStore } from '../../packages/salvo/src/store/redaction/redacting-store.ts';
import type { Store } from '../../packages/salvo/src/store/store.ts';
import { migrateSchema } from '../../packages/salvo-postgres/src/postgres/migrate-schema.ts';
import { openPostgres, type Postgres } from '../../packages/salvo-postgres/src/postgres/postgres.ts';
import { WORK_TABLES } from '../../packages/salvo-postgres/src/queue/work-tables.ts';
import { openPostgresStore } from '../../packages/salvo-postgres/src/store/open-postgres-store.ts';
import { postgresStore } from '../../packages/salvo-postgres/src/store/postgres-store.ts';
import { queueOnDemand } from '../../packages/salvo-postgres/src/store/queue-on-demand.ts';
import { STORE_PART } from '../../packages/salvo-postgres/src/store/schema.ts';
import { sampleLease } from '../../packages/salvo-postgres/test/queue/sample-lease.ts';
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
  await migrateSchema(postgres, [STORE_PART, WORK_TABLES]);
});
afterAll(async () => {
  await postgres.close();
  await database[Symbol.asyncDispose]();
});

const noQueue = () => Promise.reject(new Error('These tests use no queue.'));
const WITHOUT_MODULES = { queue: queueOnDemand(noQueue), prepare: async () => {} };

/** A store on the connections of all tests. */
function openStore(leaseMs?: number): Store {
  const shared = { ...postgres, close: async () => {} };
  return postgresStore({ ...WITHOUT_MODULES, postgres: shared, ...(leaseMs !== undefined && { leaseMs }) });
}

/** All tables are emptied: that is much faster than a new database. */
async function emptyStore(): Promise<Store> {
  const tables = 'labels, calibrations, trials, run_scenarios, runs, traces, blobs, leases, work_orders';
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

describe('what workers write', () => {
  const { trace_id: _, result: __, ...trial } = sampleStoredTrial();
  const place = { scenario: 0, case: 0, trial: 1 };

  async function begun() {
    const store = await emptyStore();
    const { workerAccess } = store;
    if (!workerAccess) throw new Error('a store without workers');
    await store.createRun(sampleRun());
    // The lead has the lease of the run: workers write all the same.
    const lease = await openStore().claim({ kind: 'run', id: 'run-1' });
    return { store, workerAccess, [Symbol.asyncDispose]: () => lease[Symbol.asyncDispose]() };
  }

  test('only a result ends the job', async () => {
    await using work = await begun();
    const lease = await sampleLease(postgres);
    const recorder = work.workerAccess.ofJob(lease);
    expect(await recorder.getTrial('run-1', place)).toBeNull();
    const trace_id = await recorder.saveTrace(sampleSupportTrace(), trial);
    await recorder.saveTrial({ ...trial, trace_id, result: null });
    expect(await lease.state()).toBe('active');
    await recorder.saveTrial({ ...trial, trace_id, result: sampleTrial({ trace_id }) });
    expect(await lease.state()).toBe('ended');
    expect(lease.hasEnded).toBe(true);
    expect((await work.store.getTrial('run-1', place))?.result).toEqual(sampleTrial({ trace_id }));
  });

  test('a trace and its result together, which ends the job', async () => {
    await using work = await begun();
    const lease = await sampleLease(postgres);
    const { result, ...finished } =
      (await work.workerAccess
        .ofJob(lease)
        .saveFinished?.(sampleSupportTrace(), { ...trial, result: sampleTrial() })) ?? expect.unreachable();
    expect(result).toEqual(sampleTrial({ trace_id: finished.trace_id ?? '' }));
    expect(await lease.state()).toBe('ended');
    expect(await work.store.getTrial('run-1', place)).toEqual({ ...finished, result });
    expect(await work.store.getTrace(finished.trace_id ?? '')).toEqual(sampleSupportTrace());
  });

  test('nothing, once the job is no longer theirs', async () => {
    await using work = await begun();
    const lease = await sampleLease(postgres);
    const recorder = work.workerAccess.ofJob(lease);
    await lease.lose();
    const refused = { code: 'JOB_LOST', outcome: 'unscored' };
    await expect(recorder.saveTrace(sampleSupportTrace(), trial)).rejects.toMatchObject(refused);
    await expect(recorder.saveTrial(sampleStoredTrial({ result: sampleTrial() }))).rejects.toMatchObject(refused);
    const finished = recorder.saveFinished?.(sampleSupportTrace(), { ...trial, result: sampleTrial() });
    await expect(finished).rejects.toMatchObject(refused);
    expect(await work.store.getTrial('run-1', place)).toBeNull();
    expect(await work.store.findTraceIds('', 1)).toEqual([]);
  });

  test('what a lost attempt cost is kept, also by whoever repeats the trial meanwhile', async () => {
    await using work = await begun();
    const { store, workerAccess } = work;
    const first = workerAccess.ofJob(await sampleLease(postgres));
    expect(await first.getTrial('run-1', place)).toBeNull();
    // Before whoever repeats it has stored anything.
    await store.workerAccess?.addEarlierCost(trial, { cost_usd: 9, judge_cost_usd: 0 });
    expect(await store.getTrial('run-1', place)).toMatchObject({ trace_id: null, result: null });
    const trace_id = await first.saveTrace(sampleSupportTrace(), trial);
    await first.saveTrial({ ...trial, trace_id, result: sampleTrial({ trace_id }), earlier_cost: null });
    const second = workerAccess.ofJob(await sampleLease(postgres));
    const read = await second.getTrial('run-1', place);
    expect(read).toMatchObject({ trace_id, earlier_cost: { cost_usd: 9, judge_cost_usd: 0 } });
    await workerAccess.addEarlierCost(trial, { cost_usd: 2, judge_cost_usd: 0.5 });
    const stored = await second.saveTrial({
      ...trial,
      ...{ trace_id, result: sampleTrial({ trace_id }), earlier_cost: { cost_usd: 10, judge_cost_usd: null } },
    });
    const ofJudges = { judge_cost_usd: null, judge_cost_at_least: { usd: 0.5, calls_unknown: 1 } };
    expect(stored.earlier_cost).toEqual({ cost_usd: 12, ...ofJudges });
    expect((await store.getTrial('run-1', place))?.earlier_cost).toEqual({ cost_usd: 12, ...ofJudges });
    const third = workerAccess.ofJob(await sampleLease(postgres));
    await third.getTrial('run-1', place);
    await workerAccess.addEarlierCost(trial, { cost_usd: 4, judge_cost_usd: 0 });
    await third.saveTrace(sampleSupportTrace(), { ...trial, earlier_cost: stored.earlier_cost });
    expect((await store.getTrial('run-1', place))?.earlier_cost).toEqual({ cost_usd: 16, ...ofJudges });
  });

  test('votes of a lost attempt that were found in the cache are on the bill once', async () => {
    await using work = await begun();
    const { store, workerAccess } = work;
    const second = workerAccess.ofJob(await sampleLease(postgres));
    await second.getTrial('run-1', place);
    const trace_id = await second.saveTrace(sampleSupportTrace(), trial);
    // Two of its three votes are found in the cache, and only then does the lost attempt say what it has cost.
    await workerAccess.addEarlierCost(trial, { cost_usd: 1, judge_cost_usd: 3 });
    const vote = { vote_number: 1, cost_usd: 1, cached: true, scores: {} };
    const votes = [vote, { ...vote, vote_number: 2 }, { ...vote, vote_number: 3, cached: false }];
    const [first, ...others] = sampleTrial().eval_results;
    const eval_results = [{ ...(first ?? expect.unreachable()), metadata: { votes } }, ...others];
    const result = sampleTrial({ trace_id, eval_results, judge_cost_usd: 3 });
    await second.saveTrial({ ...trial, trace_id, result, earlier_cost: null });
    const bill = { cost_usd: 1, judge_cost_usd: 1 };
    expect((await store.getTrial('run-1', place))?.earlier_cost).toEqual(bill);
    // Whoever adds something now has to know which votes the result has used.
    expect(await workerAccess.addEarlierCost(trial, bill, { unlessJudged: true })).toBe(false);
    expect((await store.getTrial('run-1', place))?.earlier_cost).toEqual(bill);
    expect(await workerAccess.addEarlierCost(trial, bill)).toBe(true);
    expect((await store.getTrial('run-1', place))?.earlier_cost).toEqual({ cost_usd: 2, judge_cost_usd: 2 });
  });

  test('the lead reads everything that changed since it last looked, whatever the order of commits', async () => {
    await using work = await begun();
    const { store, workerAccess } = work;
    const recorder = workerAccess.ofJob(await sampleLease(postgres));
    await recorder.saveTrial(sampleStoredTrial({ trial_number: 1 }));
    let cursor = await workerAccess.cursor();
    const changed = async () => {
      const numbers: number[] = [];
      for (;;) {
        const page = await workerAccess.changedTrials('run-1', cursor);
        cursor = page.cursor;
        if (page.results.length === 0) return numbers;
        numbers.push(...page.results.map(({ trial_number }) => trial_number));
      }
    };
    expect(await changed()).toEqual([]);
    const [wait, begin] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // It has the older number of the two, and is committed later.
    const slowPostgres: Postgres = {
      ...postgres,
      transaction: (write, around) =>
        postgres.transaction(async (sql) => {
          const value = await write(sql);
          begin.resolve();
          await wait.promise;
          return value;
        }, around),
    };
    const slowStore = postgresStore({ ...WITHOUT_MODULES, postgres: slowPostgres });
    const slow = slowStore.workerAccess?.ofJob(await sampleLease(postgres)) ?? expect.unreachable();
    const late = slow.saveTrial(sampleStoredTrial({ trial_number: 2, result: sampleTrial({ trial_number: 2 }) }));
    await begin.promise;
    await recorder.saveTrial(sampleStoredTrial({ trial_number: 3 }));
    expect(await changed()).toEqual([3]);
    wait.resolve();
    await late;
    expect(await changed()).toEqual([2]);
    await store.workerAccess?.addEarlierCost(trial, { cost_usd: 1, judge_cost_usd: 0 });
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
      // Somebody may close the order at once, because all results are there.
      await postgres.query("DELETE FROM salvo.work_orders WHERE kind = 'run'");
      return await postgres.transaction((sql) => work({ ...sql, isRepeated: true }), around);
    },
  };
  const store = postgresStore({ ...WITHOUT_MODULES, postgres: twice });
  await store.createRun(sampleRun());
  await store.deleteRun('run-1');
  await store.restoreRun('run-1');
  const { trace_id: _, result: __, ...trial } = sampleStoredTrial();
  await store.saveTrace(sampleSupportTrace(), trial);
  const { workerAccess } = store;
  await workerAccess?.addEarlierCost(trial, { cost_usd: 1, judge_cost_usd: 0 });
  const recorder = workerAccess?.ofJob(await sampleLease(postgres));
  const read = await recorder?.getTrial('run-1', { scenario: 0, case: 0, trial: 1 });
  expect(read?.earlier_cost).toEqual({ cost_usd: 1, judge_cost_usd: 0 });
  const result = { ...sampleStoredTrial(read ?? {}), result: sampleTrial({ trace_id: read?.trace_id ?? '' }) };
  await expect(recorder?.saveTrial(result)).resolves.toEqual(result);
  // Another result was not stored by this attempt, so the job is lost.
  const other = { ...result, result: { ...result.result, score: 0.123 } };
  await expect(recorder?.saveTrial(other)).rejects.toMatchObject({ code: 'JOB_LOST' });
  expect(await Array.fromAsync(store.trials('run-1'))).toEqual([result]);
});

test('results that workers store at the same time share a transaction, and none suffers from another', async () => {
  await emptyStore();
  let transactions = 0;
  const counted: Postgres = {
    ...postgres,
    transaction(work, around) {
      transactions += 1;
      return postgres.transaction(work, around);
    },
  };
  const store = postgresStore({ ...WITHOUT_MODULES, postgres: counted });
  await store.createRun(sampleRun());
  const leases = await Promise.all(Array.from({ length: 8 }, () => sampleLease(postgres)));
  const save = (trial_number: number, run_id = 'run-1') =>
    store.workerAccess
      ?.ofJob(leases[trial_number - 1] ?? expect.unreachable())
      .saveTrial(sampleStoredTrial({ run_id, trial_number, result: sampleTrial({ trial_number }) }));
  transactions = 0;
  await Promise.all([1, 2, 3, 4].map((number) => save(number)));
  expect(transactions).toBe(1);
  await leases[4]?.lose();
  const saved = await Promise.allSettled([save(5), save(6), save(7, 'no-such-run'), save(8)]);
  expect(saved.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
  const stored = await Array.fromAsync(store.trials('run-1'), ({ trial_number }) => trial_number);
  expect(stored).toEqual([1, 2, 3, 4, 6, 8]);
  expect(await Promise.all(leases.map((lease) => lease.state()))).toEqual(
    stored.reduce((states, number) => states.with(number - 1, 'ended'), Array(8).fill('active')),
  );
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

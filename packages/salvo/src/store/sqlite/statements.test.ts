import { stat } from 'node:fs/promises';
import { StatementSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { projectFixture } from '../../../../../test/project-fixture.ts';
import { sampleRun, sampleStoredTrial } from '../../../../../test/sample-run.ts';
import { sampleTrace } from '../../../../../test/sample-trace.ts';
import type { StoredTrial } from '../../run/record/run-record.ts';
import type { Trace } from '../../trace/trace.ts';
import type { Store } from '../store.ts';
import { openSqliteStore } from './sqlite-store.ts';

const TRIALS = 100;
const BATCH = 64;
const LONG_RUN = 30 * BATCH;
const PAGE_BYTES = 4096;

/** How many statements are executed while `work` runs. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const methods = [
    vi.spyOn(StatementSync.prototype, 'run'),
    vi.spyOn(StatementSync.prototype, 'get'),
    vi.spyOn(StatementSync.prototype, 'all'),
  ];
  await work();
  const count = methods.reduce((sum, method) => sum + method.mock.calls.length, 0);
  for (const method of methods) method.mockRestore();
  return count;
}

interface Trials {
  save(store: Store, trial: StoredTrial, trace: Trace): Promise<unknown>;
  most: number;
}

const TOGETHER: Trials = {
  save: (store, { trace_id: _, ...trial }, trace) => (store.saveFinished ?? expect.fail())(trace, trial),
  most: 5,
};
const ONE_AFTER_THE_OTHER: Trials = {
  async save(store, { trace_id: _, result, ...trial }, trace) {
    const trace_id = await store.saveTrace(trace, trial);
    await store.saveTrial({ ...trial, trace_id, result });
  },
  most: 7,
};

test.each([
  ['whose result is stored with its trace', TOGETHER],
  ['whose trace is stored first', ONE_AFTER_THE_OTHER],
])('a trial %s takes few statements: leases and savepoints are those of a whole transaction', async (_, trials) => {
  const store = await openSqliteStore({ file: ':memory:' });
  const run = sampleRun();
  const lease = await store.claim({ kind: 'run', id: run.run_id });
  await store.createRun(run);
  const numbers = Array.from({ length: TRIALS }, (_, index) => index + 1);
  const count = await statementsOf(() =>
    Promise.all(
      numbers.map((trial_number) => {
        const trace = sampleTrace({ final_content: `Answer ${trial_number}.` });
        return trials.save(store, sampleStoredTrial({ run_id: run.run_id, trial_number }), trace);
      }),
    ),
  );
  expect(count / TRIALS).toBeLessThan(trials.most);
  const stored = await Array.fromAsync(store.trials(run.run_id));
  expect(stored.map(({ trial_number }) => trial_number)).toEqual(numbers);
  for (const { trace_id, trial_number } of stored) {
    const trace = await store.getTrace(trace_id ?? '');
    expect(trace?.final_content).toBe(`Answer ${trial_number}.`);
  }
  await lease[Symbol.asyncDispose]();
  await store.close();
});

test('the transactions of a long run write few pages, however many traces are stored', async () => {
  await using project = await projectFixture();
  const file = project.path('salvo.db');
  const store = await openSqliteStore({ file });
  const run = sampleRun();
  const lease = await store.claim({ kind: 'run', id: run.run_id });
  await store.createRun(run);
  const start = Date.parse('2026-11-17T10:00:00.000Z');
  const saveBatch = (first: number) =>
    Promise.all(
      Array.from({ length: BATCH }, (_, index) => {
        const timestamp = new Date(start + first + index).toISOString();
        const trial = sampleStoredTrial({ run_id: run.run_id, trial_number: first + index });
        return TOGETHER.save(store, trial, sampleTrace({ timestamp }));
      }),
    );
  for (let first = 1; first <= LONG_RUN; first += BATCH) await saveBatch(first);
  const logBytes = async () => (await stat(`${file}-wal`)).size;
  const before = await logBytes();
  await saveBatch(LONG_RUN + 1);
  const pages = ((await logBytes()) - before) / PAGE_BYTES;
  expect(pages).toBeGreaterThan(0);
  // With ids in no order, each index would have one for nearly every trial: 61.
  expect(pages).toBeLessThan(40);
  await lease[Symbol.asyncDispose]();
  await store.close();
});

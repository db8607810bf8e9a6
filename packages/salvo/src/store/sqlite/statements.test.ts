import { StatementSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { sampleRun, sampleStoredTrial } from '../../../../../test/sample-run.ts';
import { sampleTrace } from '../../../../../test/sample-trace.ts';
import { openSqliteStore } from './sqlite-store.ts';

const TRIALS = 100;

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

test('a trial takes few statements: leases and savepoints are those of a whole transaction', async () => {
  const store = await openSqliteStore({ file: ':memory:' });
  const run = sampleRun();
  const lease = await store.claim({ kind: 'run', id: run.run_id });
  await store.createRun(run);
  const numbers = Array.from({ length: TRIALS }, (_, index) => index + 1);
  const count = await statementsOf(() =>
    Promise.all(
      numbers.map(async (trial_number) => {
        const trial = sampleStoredTrial({ run_id: run.run_id, trial_number });
        const { result: _result, trace_id: _trace, ...place } = trial;
        const trace_id = await store.saveTrace(sampleTrace({ final_content: `Answer ${trial_number}.` }), place);
        await store.saveTrial({ ...trial, trace_id });
      }),
    ),
  );
  expect(count / TRIALS).toBeLessThan(7);
  expect((await Array.fromAsync(store.trials(run.run_id))).length).toBe(TRIALS);
  await lease[Symbol.asyncDispose]();
  await store.close();
});

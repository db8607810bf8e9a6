import { beforeEach, describe, expect, test } from 'vitest';
import type { TrialStatus } from '../../src/evaluators/trial-status.ts';
import { resolveRunId, resolveTraceId } from '../../src/store/resolve-id.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { sampleRun, sampleStoredTrial } from '../sample-run.ts';
import { sampleSupportTrace } from '../sample-trace.ts';
import { sampleTrial } from '../sample-trial.ts';

let store: Store;
beforeEach(async () => {
  store = await openSqliteStore({ file: ':memory:' });
});

async function addRuns(...ids: string[]): Promise<void> {
  for (const [day, run_id] of ids.entries()) {
    await store.createRun(sampleRun({ run_id, created_at: `2026-01-${10 + day}T00:00:00.000Z` }));
  }
}

async function addTrial(trial_number: number, status: TrialStatus): Promise<string> {
  const trace_id = await store.saveTrace(sampleSupportTrace({ latency_seconds: trial_number }));
  const result = sampleTrial({ trial_number, trace_id, status, passed: status === 'passed' });
  await store.saveTrial(sampleStoredTrial({ run_id: 'b', trial_number, trace_id, result }));
  return trace_id;
}

describe('a run', () => {
  test('is found by its id, a prefix of it, or as the latest', async () => {
    await addRuns('abc1', 'abd2', 'xyz3');
    expect(await resolveRunId(store, 'abd2')).toBe('abd2');
    expect(await resolveRunId(store, 'abd')).toBe('abd2');
    expect(await resolveRunId(store, 'latest')).toBe('xyz3');
  });

  test('that is a prefix of others is found by its whole id', async () => {
    await addRuns('ab', 'abc', 'abd');
    expect(await resolveRunId(store, 'ab')).toBe('ab');
  });

  test('that several beginnings fit is ambiguous, with the candidates', async () => {
    await addRuns('abc1', 'abd2');
    await expect(resolveRunId(store, 'ab')).rejects.toMatchObject({
      code: 'AMBIGUOUS_RUN',
      message: 'More than one run begins with "ab". Give more of its id:\n  abd2\n  abc1',
    });
  });

  test('with many candidates shows the newest few', async () => {
    await addRuns(...Array.from({ length: 9 }, (_, index) => `r${index}`));
    await expect(resolveRunId(store, 'r')).rejects.toThrow(/r8\n {2}r7\n {2}r6\n {2}r5\n {2}r4\n {2}\.\.\.$/);
  });

  test.each(['nope', '', '%', "'; DROP TABLE runs"])('that is unknown (%j) is an error with the newest', async (id) => {
    await addRuns('abc1', 'abd2');
    await expect(resolveRunId(store, id)).rejects.toMatchObject({
      code: 'UNKNOWN_RUN',
      message: `There is no run ${JSON.stringify(id)}. The newest:\n  abd2\n  abc1`,
    });
  });

  test('of an empty store is an error that says what to do', async () => {
    for (const id of ['latest', 'abc']) {
      await expect(resolveRunId(store, id)).rejects.toMatchObject({
        code: 'NO_RUNS',
        message: expect.stringMatching(/salvo run/),
      });
    }
  });
});

describe('a trace', () => {
  test('is found by its id or a prefix of it, in upper or lower case', async () => {
    const id = await store.saveTrace(sampleSupportTrace());
    expect(await resolveTraceId(store, id)).toBe(id);
    expect(await resolveTraceId(store, id.slice(0, 8).toUpperCase())).toBe(id);
  });

  test('that is latest is the first failure of the latest run', async () => {
    await addRuns('a', 'b');
    await addTrial(1, 'passed');
    await addTrial(2, 'unscored');
    const failed = await addTrial(3, 'hard_fail');
    await addTrial(4, 'failed');
    expect(await resolveTraceId(store, 'latest')).toBe(failed);
  });

  test('that is latest is the first one when nothing failed', async () => {
    await addRuns('a', 'b');
    await store.saveTrial(sampleStoredTrial({ run_id: 'b', trial_number: 1 }));
    const first = await addTrial(2, 'passed');
    await addTrial(3, 'passed');
    expect(await resolveTraceId(store, 'latest')).toBe(first);
  });

  test('is an error when the latest run has none, or it is unknown', async () => {
    await addRuns('a');
    await expect(resolveTraceId(store, 'latest')).rejects.toMatchObject({ code: 'NO_TRACES' });
    await expect(resolveTraceId(store, 'abc')).rejects.toMatchObject({
      code: 'UNKNOWN_TRACE',
      message: 'There is no trace "abc".',
    });
    await expect(resolveTraceId(store, '')).rejects.toMatchObject({ code: 'UNKNOWN_TRACE' });
  });
});

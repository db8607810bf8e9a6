import { beforeEach, describe, expect, test } from 'vitest';
import { resolveRunId } from '../../packages/salvo/src/store/resolve-id.ts';
import { openSqliteStore } from '../../packages/salvo/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../packages/salvo/src/store/store.ts';
import { sampleRun } from '../sample-run.ts';

let store: Store;
beforeEach(async () => {
  store = await openSqliteStore({ file: ':memory:' });
});

async function addRuns(...ids: string[]): Promise<void> {
  for (const [day, run_id] of ids.entries()) {
    await store.createRun(sampleRun({ run_id, created_at: `2026-01-${10 + day}T00:00:00.000Z` }));
  }
}

describe('a run', () => {
  test('is found by its id, a prefix of it, or as the latest', async () => {
    await addRuns('abc1', 'abd2', 'xyz3');
    expect(await resolveRunId(store, 'abd2')).toBe('abd2');
    expect(await resolveRunId(store, 'abd')).toBe('abd2');
    expect(await resolveRunId(store, 'latest')).toBe('xyz3');
  });

  test('that is the latest is complete, unless none is, and does not depend on the clock', async () => {
    await store.createRun(sampleRun({ run_id: 'killed-1', status: 'running' }));
    expect(await resolveRunId(store, 'latest')).toBe('killed-1');
    await store.createRun(sampleRun({ run_id: 'older', status: 'finished', created_at: '2030-01-01T00:00:00.000Z' }));
    await store.createRun(sampleRun({ run_id: 'newer', status: 'finished', created_at: '2020-01-01T00:00:00.000Z' }));
    await store.createRun(sampleRun({ run_id: 'killed-2', status: 'running' }));
    await store.createRun(sampleRun({ run_id: 'stopped', status: 'interrupted' }));
    expect(await resolveRunId(store, 'latest')).toBe('newer');
  });

  test('that is a prefix of others is found by its whole id', async () => {
    await addRuns('ab', 'abc', 'abd');
    expect(await resolveRunId(store, 'ab')).toBe('ab');
  });

  test('that several beginnings fit is ambiguous, with the candidates', async () => {
    await addRuns('abc1', 'abd2');
    await expect(resolveRunId(store, 'ab')).rejects.toMatchObject({
      code: 'RUN_AMBIGUOUS',
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
      code: 'RUN_UNKNOWN',
      message: `There is no run ${JSON.stringify(id)}. The newest:\n  abd2\n  abc1`,
    });
  });

  test('of an empty store is an error that says what to do', async () => {
    for (const id of ['latest', 'abc']) {
      await expect(resolveRunId(store, id)).rejects.toMatchObject({
        code: 'RUNS_MISSING',
        message: expect.stringMatching(/salvo run/),
      });
    }
  });
});

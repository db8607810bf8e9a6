import { describe, expect, it } from 'vitest';
import { runPool } from './run-pool.ts';

const never = new AbortController().signal;

describe('the pool', () => {
  it('performs every job once, in the order they come', async () => {
    const done: number[] = [];
    await runPool({
      jobs: [1, 2, 3, 4],
      concurrency: 1,
      stop: never,
      perform: async (job) => {
        done.push(job);
      },
    });
    expect(done).toEqual([1, 2, 3, 4]);
  });

  it('has exactly as many jobs under way as it may', async () => {
    let running = 0;
    let most = 0;
    await runPool({
      jobs: Array.from({ length: 20 }, (_, index) => index),
      concurrency: 3,
      stop: never,
      perform: async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
      },
    });
    expect(most).toBe(3);
  });

  it('takes jobs from a generator only as places become free', async () => {
    let taken = 0;
    function* endless() {
      for (;;) yield ++taken;
    }
    const stop = new AbortController();
    await runPool({
      jobs: endless(),
      concurrency: 2,
      stop: stop.signal,
      perform: async (job) => {
        if (job === 5) stop.abort();
      },
    });
    expect(taken).toBeLessThanOrEqual(7);
  });

  it('finishes what is under way after a stop', async () => {
    const stop = new AbortController();
    const finished: number[] = [];
    await runPool({
      jobs: [1, 2, 3, 4, 5],
      concurrency: 2,
      stop: stop.signal,
      perform: async (job) => {
        if (job === 2) stop.abort();
        await new Promise((resolve) => setImmediate(resolve));
        finished.push(job);
      },
    });
    expect(finished).toEqual([1, 2]);
  });

  it('waits for the others when one fails, and then rejects', async () => {
    const finished: number[] = [];
    const run = runPool({
      jobs: [1, 2, 3, 4],
      concurrency: 2,
      stop: never,
      perform: async (job) => {
        if (job === 1) throw new Error('disk full');
        await new Promise((resolve) => setImmediate(resolve));
        finished.push(job);
      },
    });
    await expect(run).rejects.toThrow('disk full');
    expect(finished).toEqual([2]);
  });

  it('gives the place of a job that has left it to the next one, and ends when all have ended', async () => {
    const stored = Promise.withResolvers<void>();
    const begun: number[] = [];
    const ended: number[] = [];
    const run = runPool({
      jobs: [1, 2, 3],
      concurrency: 1,
      stop: never,
      perform: async (job, leave) => {
        begun.push(job);
        leave();
        if (job === 3) stored.resolve();
        await stored.promise;
        ended.push(job);
      },
    });
    await run;
    expect([begun, ended]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  it('takes no further job while many have not ended', async () => {
    let begun = 0;
    const stored = Promise.withResolvers<void>();
    const run = runPool({
      jobs: Array.from({ length: 1000 }, (_, index) => index),
      concurrency: 2,
      stop: never,
      perform: async (_job, leave) => {
        begun += 1;
        leave();
        await stored.promise;
      },
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toBe(66);
    stored.resolve();
    await run;
    expect(begun).toBe(1000);
  });

  it('rejects when a job fails after it has left its place', async () => {
    const run = runPool({
      jobs: [1, 2],
      concurrency: 1,
      stop: never,
      perform: async (_job, leave) => {
        leave();
        await new Promise((resolve) => setImmediate(resolve));
        throw new Error('disk full');
      },
    });
    await expect(run).rejects.toThrow('disk full');
  });
});

import { describe, expect, test } from 'vitest';
import { type CoordinatedJobs, followOrder, LeftToWorkers } from '../../../salvo/src/queue/follow-order.ts';
import type { Job, TakenJob, WorkerSession, WorkOrder } from '../../../salvo/src/queue/work-queue.ts';
import { queueUnderTest } from './queue-under-test.ts';
import { openingsOf, takeOf } from './sample-order.ts';

const order: WorkOrder = {
  ...{ work: { kind: 'run', id: 'r1' }, salvo_version: '1', bundle: 'p', code: [], settings: {} },
};
const job = (index: number): Job => ({ key: `${index}`, group: `g${index % 2}`, labels: [], data: { index } });
const never = new AbortController().signal;
const tested = queueUnderTest();

async function followed(options: {
  jobs: number;
  perform: (job: TakenJob, session: WorkerSession) => Promise<void>;
  work?: Partial<CoordinatedJobs>;
  stop?: AbortSignal;
  leave?: AbortSignal;
}) {
  await using coordinated = await tested.client.coordinate(order);
  const session = await tested.join();
  const over = new AbortController();
  const working = (async () => {
    while (!over.signal.aborted) {
      for (const taken of await takeOf(session, [order.work], 1)) await options.perform(taken, session);
      await session.wait(20, over.signal);
    }
  })();
  const failed: string[] = [];
  try {
    await followOrder(
      coordinated,
      {
        jobs: () => Array.from({ length: options.jobs }, (_, index) => job(index)),
        readResults: async () => {},
        pointless: () => [],
        onNotice: () => {},
        onFailed: async ({ job: { key }, attempts, reason }) => void failed.push(`${key}: ${attempts} ${reason}`),
        whyNoWorker: async () => null,
        onEvent: () => {},
        workers: async () => [{ worker_id: 'w' }],
        ...options.work,
      },
      { lost: never, stop: options.stop ?? never, abort: never, leave: options.leave },
    );
  } finally {
    over.abort();
    await working;
  }
  return { failed, left: await coordinated.progress() };
}

describe('the coordinator of an order', () => {
  test('returns when every job is done, and learns of those that were given up', async () => {
    const done: string[] = [];
    const { failed, left } = await followed({
      jobs: 5,
      perform: async (taken) => {
        if (taken.key === '3') return taken.failed('it broke');
        done.push(taken.key);
        await taken.done();
      },
    });
    expect(done.sort()).toEqual(['0', '1', '2', '4']);
    expect(failed).toEqual(['3: 3 it broke']);
    expect(left).toMatchObject({ waiting: 0, active: 0 });
  });

  test('ends the jobs of a group that is pointless', async () => {
    const done: string[] = [];
    await followed({
      jobs: 20,
      perform: async (taken) => {
        done.push(taken.group);
        await taken.done();
      },
      work: { pointless: () => (done.length > 0 ? ['g1'] : []) },
    });
    expect(done.filter((group) => group === 'g0')).toHaveLength(10);
    expect(done.filter((group) => group === 'g1').length).toBeLessThan(10);
  });

  test('that is stopped waits for what is under way, and leaves the rest', async () => {
    const stop = new AbortController();
    let ended = 0;
    const { left } = await followed({
      jobs: 10,
      stop: stop.signal,
      perform: async (taken) => {
        stop.abort();
        ended += 1;
        await taken.done();
      },
    });
    expect(ended).toBeGreaterThan(0);
    expect(left).toMatchObject({ waiting: 10 - ended, active: 0 });
  });

  test('waits for workers that tear something down, and hears what failed there', async () => {
    const heard: string[] = [];
    const present = new Set(['w', 'gone']);
    await followed({
      jobs: 1,
      async perform(taken, session) {
        const [opening] = await openingsOf(session);
        if (!opening) throw new Error('no order is open');
        const join = (worker: string) =>
          session.notify(opening, { type: 'joined', worker, tears_down: true, message: worker });
        await Promise.all([join('w'), join('gone')]);
        await taken.done();
        while (!(await session.orders())[0]?.directions.isOver) await session.wait(20);
        present.delete('gone');
        await session.notify(opening, { type: 'warning', message: 'teardown failed' });
        await session.notify(opening, { type: 'left', worker: 'w', message: '' });
      },
      work: {
        workers: async () => Array.from(present, (worker_id) => ({ worker_id })),
        onNotice: ({ type }) => void heard.push(type),
      },
    });
    expect(heard).toEqual(['joined', 'joined', 'warning']);
  });

  test('that should leave does so at once, and the order stays', async () => {
    const leaving = followed({ jobs: 3, leave: AbortSignal.abort(), perform: async (taken) => taken.done() });
    await expect(leaving).rejects.toThrow(LeftToWorkers);
  });
});

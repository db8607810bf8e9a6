import { beforeEach, describe, expect, test } from 'vitest';
import {
  type JobLease,
  MOST_REPORTED,
  type TakenJob,
  type WorkerSession,
} from '../../../salvo/src/queue/work-queue.ts';
import { queueUnderTest } from './queue-under-test.ts';
import { keysOf, SOON, sampleJobs, sampleOrder, sampleWorker, takeOf, takeOneOf } from './sample-order.ts';

const order = sampleOrder();
const { work } = order;
const tested = queueUnderTest();
let session: WorkerSession;
beforeEach(async () => {
  session = await tested.join();
});

const ends = (lease: JobLease): Promise<boolean> => tested.holds(lease, { ends: true });
const takeOne = (from = session): Promise<TakenJob> => takeOneOf(from, work);

describe('jobs', () => {
  test('are taken once each, in the order in which they were added', async () => {
    const coordinator = await tested.client.coordinate(order);
    await coordinator.add(sampleJobs(5));
    await coordinator.add(sampleJobs(2, { group: 'b' }));
    await using other = await tested.workplace.join(sampleWorker('w2'));
    const taken = [
      ...(await takeOf(session, [work], 3)),
      ...(await takeOf(other, [work], 3)),
      ...(await takeOf(session, [work], 3)),
    ];
    expect(keysOf(taken)).toEqual(['a/0', 'a/1', 'a/2', 'a/3', 'a/4', 'b/0', 'b/1']);
    expect(taken[0]).toMatchObject({ work, group: 'a', labels: [], data: { trial: 0 }, attempt: 1 });
    await coordinator.close();
  });

  test('two workers that take at the same time never get the same job', async () => {
    const coordinator = await tested.client.coordinate(order);
    await coordinator.add(sampleJobs(60));
    await using other = await tested.workplace.join(sampleWorker('w2'));
    const rounds = await Promise.all(
      Array.from({ length: 10 }, (_, round) => takeOf(round % 2 ? session : other, [work], 6)),
    );
    const keys = rounds.flat().map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(await coordinator.progress()).toMatchObject({ waiting: 60 - keys.length, active: keys.length });
    await coordinator.close();
  });

  test('a job that is added again has no effect, whatever became of it', async () => {
    const coordinator = await tested.client.coordinate(order);
    await coordinator.add([...sampleJobs(2), ...sampleJobs(2)]);
    const job = await takeOne();
    await coordinator.add(sampleJobs(2));
    expect(await coordinator.progress()).toMatchObject({ waiting: 1, active: 1 });
    await job.done();
    await coordinator.add(sampleJobs(3));
    expect(await coordinator.progress()).toMatchObject({ waiting: 2, active: 0 });
    await coordinator.close();
  });

  test('only a worker with all labels takes them', async () => {
    const coordinator = await tested.client.coordinate(order);
    await coordinator.add(sampleJobs(1, { group: 'gpu', labels: ['gpu', 'eu'] }));
    await coordinator.add(sampleJobs(1, { group: 'any' }));
    expect(keysOf(await takeOf(session, [work], 5))).toEqual(['any/0']);
    await using other = await tested.workplace.join(sampleWorker('w2', { labels: ['eu', 'gpu', 'x'] }));
    expect(keysOf(await takeOf(other, [work], 5))).toEqual(['gpu/0']);
    await coordinator.close();
  });

  test('orders take turns', async () => {
    const second = sampleOrder('run-2');
    const one = await tested.client.coordinate(order);
    const two = await tested.client.coordinate(second);
    await one.add(sampleJobs(10));
    await two.add(sampleJobs(2));
    const both = await takeOf(session, [work, second.work], 4);
    expect(both.map((job) => job.work.id).toSorted()).toEqual(['run-1', 'run-1', 'run-2', 'run-2']);
    expect(await takeOf(session, [work, second.work], 4)).toHaveLength(4);
    expect(await takeOf(session, [second.work], 4)).toEqual([]);
    const turns = [await takeOne(), await takeOne()];
    expect(keysOf(turns)).toEqual(['a/6', 'a/7']);
    await one.close();
    await two.close();
  });

  test('what is given back is taken again at once, and no attempt is counted', async () => {
    const coordinator = await tested.client.coordinate(order);
    await coordinator.add(sampleJobs(2));
    for (let time = 0; time < 4; time += 1) {
      const job = await takeOne();
      expect(job).toMatchObject({ key: 'a/0', attempt: 1, isUntouched: time === 0 });
      await job.giveBack();
      expect(await ends(job.lease)).toBe(false);
      expect(await coordinator.progress()).toMatchObject({ waiting: 2, again: 0 });
    }
    const leaving = await tested.workplace.join(sampleWorker('w2'));
    const [held] = await takeOf(leaving, [work], 2);
    await leaving[Symbol.asyncDispose]();
    expect(held?.lost.aborted).toBe(true);
    expect((await takeOf(session, [work], 2)).map(({ attempt }) => attempt)).toEqual([1, 1]);
    await coordinator.close();
  });
});

describe('attempts', () => {
  test('a job that fails is tried again, and given up after three attempts with the last reason', async () => {
    const coordinator = await tested.client.coordinate(order);
    await coordinator.add(sampleJobs(1));
    for (const attempt of [1, 2, 3]) {
      expect(await coordinator.progress()).toMatchObject({
        waiting: 1,
        again: attempt > 1 ? 1 : 0,
        active: 0,
        failed: [],
      });
      const job = await takeOne();
      expect(job.attempt).toBe(attempt);
      await job.failed(`no disk ${attempt}`);
    }
    const failed = [{ job: sampleJobs(1)[0], attempts: 3, reason: 'no disk 3' }];
    expect(await coordinator.progress()).toEqual({ waiting: 0, again: 0, active: 0, failed, notices: [] });
    expect(await coordinator.progress()).toMatchObject({ failed: [] });
    await coordinator.add(sampleJobs(1));
    expect(await takeOf(session, [work], 1)).toEqual([]);

    const next = await tested.workplace.coordinate(order);
    expect(await next.progress()).toMatchObject({ failed });
    await coordinator.close();
  });

  test('a job whose worker dies counts an attempt, and the reason names the worker', async () => {
    const coordinator = await tested.client.coordinate(order);
    await coordinator.add(sampleJobs(1));
    for (const attempt of [1, 2, 3]) {
      expect((await takeOne()).attempt).toBe(attempt);
      await tested.lose('w1');
    }
    const { failed } = await coordinator.progress();
    expect(failed).toMatchObject([{ attempts: 3, reason: 'the worker on host-a (pid 12) was not heard of for 10 s' }]);
    await coordinator.close();
  });

  test('a coordinator hears of some failed jobs at a time, and counts the others as active until then', async () => {
    const coordinator = await tested.client.coordinate(order);
    await coordinator.add(sampleJobs(MOST_REPORTED + 1));
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await takeOf(session, [work], MOST_REPORTED + 1);
      await tested.lose('w1');
    }
    const first = await coordinator.progress();
    expect([first.waiting, first.active, first.failed.length]).toEqual([0, 1, MOST_REPORTED]);
    const second = await coordinator.progress();
    expect([second.active, second.failed.length]).toEqual([0, 1]);
    await coordinator.close();
  });
});

describe('the lease', () => {
  test('holds until the job has ended', async () => {
    const coordinator = await tested.client.coordinate(order);
    await coordinator.add(sampleJobs(1));
    const { lease, done, failed, giveBack } = await takeOne();
    expect(await tested.holds(lease)).toBe(true);
    expect(await tested.holds(lease)).toBe(true);
    expect(await ends(lease)).toBe(true);
    await done();
    await failed('too late');
    await giveBack();
    expect(await coordinator.progress()).toEqual({ waiting: 0, again: 0, active: 0, failed: [], notices: [] });
    await coordinator.close();
  });

  test('lets the worker that ended a job write again: it may not know that its transaction was committed', async () => {
    const coordinator = await tested.client.coordinate(order);
    await coordinator.add(sampleJobs(1));
    const { lease } = await takeOne();
    for (let time = 1; time <= 2; time += 1) {
      expect(await tested.holds(lease)).toBe(true);
      expect(await ends(lease)).toBe(true);
    }
    await coordinator.close();
    expect(await ends(lease)).toBe(false);
  });

  test('refuses a worker that was paused past its lease, and lets the next one through', async () => {
    const coordinator = await tested.client.coordinate(order);
    await coordinator.add(sampleJobs(1));
    const paused = await takeOne();
    await tested.lose('w1');
    await using other = await tested.workplace.join(sampleWorker('w2'));
    const next = await takeOne(other);
    expect(next).toMatchObject({ key: 'a/0', attempt: 2 });
    expect(await tested.holds(paused.lease)).toBe(false);
    expect(await ends(paused.lease)).toBe(false);
    await expect.poll(() => paused.lost.aborted, SOON).toBe(true);
    await paused.done();
    await paused.failed('mine failed');
    await paused.giveBack();
    expect(next.lost.aborted).toBe(false);
    expect(await ends(next.lease)).toBe(true);
    await coordinator.close();
  });
});

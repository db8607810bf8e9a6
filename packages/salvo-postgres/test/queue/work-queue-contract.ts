import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type JobLease,
  MOST_REPORTED,
  type Notice,
  type Opening,
  type TakenJob,
  type WorkerSession,
  type WorkQueue,
} from '../../../salvo/src/queue/work-queue.ts';
import { openingsOf, SOON, sampleJobs, sampleOrder, sampleWorker, takeOf } from './sample-order.ts';

/** Longer than a test may take: only who is woken waits for less. */
const NEVER_MS = 600_000;

/** One queue, as two processes see it. */
export interface QueueUnderTest extends AsyncDisposable {
  /** For coordinators. */
  lead: WorkQueue;
  /** For the workers. */
  work: WorkQueue;
  /** As if the worker had not been heard of for longer than its lease. */
  lose(workerId: string): Promise<void>;
  /** Whether a store may write with this lease. `ends`: the write ends the job. */
  holds(lease: JobLease, options?: { ends: boolean }): Promise<boolean>;
}

/** What every queue must do. `open` gives an empty one, on which a failed job is tried again at once. */
export function workQueueContract(name: string, open: () => Promise<QueueUnderTest>): void {
  describe(`${name} keeps the queue contract`, () => {
    const order = sampleOrder();
    const { work } = order;
    let queue: QueueUnderTest;
    let session: WorkerSession;
    beforeEach(async () => {
      queue = await open();
      session = await queue.work.join(sampleWorker());
    });
    afterEach(async () => {
      await session[Symbol.asyncDispose]();
      await queue[Symbol.asyncDispose]();
    });

    const keysOf = (jobs: readonly TakenJob[]): string[] => jobs.map(({ key }) => key);
    async function takeOne(from: WorkerSession = session): Promise<TakenJob> {
      const [job] = await takeOf(from, [work], 1);
      if (!job) throw new Error('nothing was taken');
      return job;
    }
    const ends = (lease: JobLease): Promise<boolean> => queue.holds(lease, { ends: true });
    async function opening(from: WorkerSession = session): Promise<Opening> {
      const [only] = await openingsOf(from);
      if (!only) throw new Error('no order is open');
      return only;
    }

    describe('orders', () => {
      test('workers see an order as it was opened, until it is closed', async () => {
        const coordinator = await queue.lead.coordinate(order);
        expect(await session.orders()).toEqual([
          {
            order,
            generation: expect.any(Number),
            directions: { stops: 0, pointless: [], isOver: false },
            hasCoordinator: true,
          },
        ]);
        expect(await queue.work.orderOf(work)).toEqual(order);
        await coordinator.close();
        expect(await session.orders()).toEqual([]);
        expect(await queue.work.orderOf(work)).toBeNull();
      });

      test('an order without a coordinator stays, and is found by the next coordinator with its jobs and directions', async () => {
        const first = await queue.lead.coordinate(order);
        await first.add(sampleJobs(3));
        await first.direct({ stops: 1, pointless: ['b'] });
        await first.direct({ isOver: true });
        await first[Symbol.asyncDispose]();
        const directions = { stops: 1, pointless: ['b'], isOver: true };
        expect(await session.orders()).toMatchObject([{ hasCoordinator: false, directions }]);

        const second = await queue.work.coordinate(sampleOrder('run-1', { bundle: 'other' }));
        expect(second.order).toEqual(order);
        expect(await second.progress()).toMatchObject({ waiting: 3 });
        // It may have jobs to add, so the work is not over.
        await expect
          .poll(async () => (await session.orders())[0], SOON)
          .toMatchObject({ hasCoordinator: true, directions: { ...directions, isOver: false } });
        await second.close();
      });

      test('a fresh order throws away what was left, and whoever has a job of it loses it', async () => {
        const first = await queue.lead.coordinate(order);
        await first.add(sampleJobs(2));
        await first.direct({ stops: 1 });
        await first.direct({ stops: 0 });
        await expect.poll(async () => (await session.orders())[0]?.directions.stops, SOON).toBe(0);
        const job = await takeOne();

        const changed = sampleOrder('run-1', { bundle: 'other' });
        const second = await queue.lead.coordinate(changed, { fresh: true });
        expect(await session.orders()).toMatchObject([{ order: changed, directions: { stops: 0 } }]);
        expect(await second.progress()).toEqual({ waiting: 0, again: 0, active: 0, failed: [], notices: [] });
        expect(await ends(job.lease)).toBe(false);
        await expect.poll(() => job.lost.aborted, SOON).toBe(true);
        await second.add(sampleJobs(2));
        expect(await second.progress()).toMatchObject({ waiting: 2 });
        await second.close();
      });

      test('an order that is opened afresh has nothing for those who know it as it was before', async () => {
        const first = await queue.lead.coordinate(order);
        const before = await opening();
        const second = await queue.lead.coordinate(order, { fresh: true });
        await second.add(sampleJobs(1));
        await expect.poll(async () => (await opening()).generation, SOON).not.toBe(before.generation);
        expect(await session.take([before], 1)).toEqual([]);
        await session.notify(before, { type: 'budget', message: 'used up' });
        expect(await second.progress()).toEqual({ waiting: 1, again: 0, active: 0, failed: [], notices: [] });
        expect(await session.take([await opening()], 1)).toHaveLength(1);
        await first[Symbol.asyncDispose]();
        await second.close();
      });

      test('any text can be in an order, a job, a reason and a notice', async () => {
        const odd = 'nul \0, lone \ud800, \u{1F600}, 100%_"\\';
        const oddOrder = sampleOrder('run-1', { settings: { odd } });
        const coordinator = await queue.lead.coordinate(oddOrder);
        await coordinator.add([{ key: odd, group: odd, labels: [odd], data: { [odd]: odd } }]);
        await using other = await queue.work.join(sampleWorker('w2', { labels: [odd] }));
        expect((await other.orders())[0]?.order).toEqual(oddOrder);
        for (let attempt = 1; attempt <= 3; attempt += 1) await (await takeOne(other)).failed(`because ${odd}`);
        await other.notify(await opening(other), { type: 'warning', message: odd });
        const { failed, notices } = await coordinator.progress();
        expect(failed[0]?.job).toEqual({ key: odd, group: odd, labels: [odd], data: { [odd]: odd } });
        expect(failed[0]?.reason).toContain('100%_"\\');
        expect(notices).toHaveLength(1);
        await coordinator.close();
      });
    });

    describe('jobs', () => {
      test('are taken once each, in the order in which they were added', async () => {
        const coordinator = await queue.lead.coordinate(order);
        await coordinator.add(sampleJobs(5));
        await coordinator.add(sampleJobs(2, { group: 'b' }));
        await using other = await queue.work.join(sampleWorker('w2'));
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
        const coordinator = await queue.lead.coordinate(order);
        await coordinator.add(sampleJobs(60));
        await using other = await queue.work.join(sampleWorker('w2'));
        const rounds = await Promise.all(
          Array.from({ length: 10 }, (_, round) => takeOf(round % 2 ? session : other, [work], 6)),
        );
        const keys = rounds.flat().map(({ key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
        expect(await coordinator.progress()).toMatchObject({ waiting: 60 - keys.length, active: keys.length });
        await coordinator.close();
      });

      test('a job that is added again has no effect, whatever became of it', async () => {
        const coordinator = await queue.lead.coordinate(order);
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
        const coordinator = await queue.lead.coordinate(order);
        await coordinator.add(sampleJobs(1, { group: 'gpu', labels: ['gpu', 'eu'] }));
        await coordinator.add(sampleJobs(1, { group: 'any' }));
        expect(keysOf(await takeOf(session, [work], 5))).toEqual(['any/0']);
        await using other = await queue.work.join(sampleWorker('w2', { labels: ['eu', 'gpu', 'x'] }));
        expect(keysOf(await takeOf(other, [work], 5))).toEqual(['gpu/0']);
        await coordinator.close();
      });

      test('orders take turns', async () => {
        const second = sampleOrder('run-2');
        const one = await queue.lead.coordinate(order);
        const two = await queue.lead.coordinate(second);
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
        const coordinator = await queue.lead.coordinate(order);
        await coordinator.add(sampleJobs(2));
        for (let time = 0; time < 4; time += 1) {
          const job = await takeOne();
          expect(job).toMatchObject({ key: 'a/0', attempt: 1, isUntouched: time === 0 });
          await job.giveBack();
          expect(await ends(job.lease)).toBe(false);
          expect(await coordinator.progress()).toMatchObject({ waiting: 2, again: 0 });
        }
        const leaving = await queue.work.join(sampleWorker('w2'));
        const [held] = await takeOf(leaving, [work], 2);
        await leaving[Symbol.asyncDispose]();
        expect(held?.lost.aborted).toBe(true);
        expect((await takeOf(session, [work], 2)).map(({ attempt }) => attempt)).toEqual([1, 1]);
        await coordinator.close();
      });
    });

    describe('attempts', () => {
      test('a job that fails is tried again, and given up after three attempts with the last reason', async () => {
        const coordinator = await queue.lead.coordinate(order);
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

        const next = await queue.work.coordinate(order);
        expect(await next.progress()).toMatchObject({ failed });
        await coordinator.close();
      });

      test('a job whose worker dies counts an attempt, and the reason names the worker', async () => {
        const coordinator = await queue.lead.coordinate(order);
        await coordinator.add(sampleJobs(1));
        for (const attempt of [1, 2, 3]) {
          expect((await takeOne()).attempt).toBe(attempt);
          await queue.lose('w1');
        }
        const { failed } = await coordinator.progress();
        expect(failed).toMatchObject([
          { attempts: 3, reason: 'the worker on host-a (pid 12) was not heard of for 10 s' },
        ]);
        await coordinator.close();
      });

      test('a coordinator hears of some failed jobs at a time, and counts the others as active until then', async () => {
        const coordinator = await queue.lead.coordinate(order);
        await coordinator.add(sampleJobs(MOST_REPORTED + 1));
        for (let attempt = 1; attempt <= 3; attempt += 1) {
          await takeOf(session, [work], MOST_REPORTED + 1);
          await queue.lose('w1');
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
        const coordinator = await queue.lead.coordinate(order);
        await coordinator.add(sampleJobs(1));
        const { lease, done, failed, giveBack } = await takeOne();
        expect(await queue.holds(lease)).toBe(true);
        expect(await queue.holds(lease)).toBe(true);
        expect(await ends(lease)).toBe(true);
        await done();
        await failed('too late');
        await giveBack();
        expect(await coordinator.progress()).toEqual({ waiting: 0, again: 0, active: 0, failed: [], notices: [] });
        await coordinator.close();
      });

      test('lets the worker that ended a job write again: it may not know that its transaction was committed', async () => {
        const coordinator = await queue.lead.coordinate(order);
        await coordinator.add(sampleJobs(1));
        const { lease } = await takeOne();
        for (let time = 1; time <= 2; time += 1) {
          expect(await queue.holds(lease)).toBe(true);
          expect(await ends(lease)).toBe(true);
        }
        await coordinator.close();
        expect(await ends(lease)).toBe(false);
      });

      test('refuses a worker that was paused past its lease, and lets the next one through', async () => {
        const coordinator = await queue.lead.coordinate(order);
        await coordinator.add(sampleJobs(1));
        const paused = await takeOne();
        await queue.lose('w1');
        await using other = await queue.work.join(sampleWorker('w2'));
        const next = await takeOne(other);
        expect(next).toMatchObject({ key: 'a/0', attempt: 2 });
        expect(await queue.holds(paused.lease)).toBe(false);
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

    describe('directions', () => {
      test('after a stop no job is taken, and those under way can end', async () => {
        const coordinator = await queue.lead.coordinate(order);
        await coordinator.add(sampleJobs(3));
        const job = await takeOne();
        await coordinator.direct({ stops: 1 });
        await expect.poll(async () => (await session.orders())[0]?.directions.stops, SOON).toBe(1);
        expect(await takeOf(session, [work], 3)).toEqual([]);
        expect(await ends(job.lease)).toBe(true);
        expect(await coordinator.progress()).toMatchObject({ waiting: 2, active: 0 });
        await coordinator.direct({ stops: 2 });
        await expect.poll(async () => (await session.orders())[0]?.directions.stops, SOON).toBe(2);
        await coordinator.close();
      });

      test('no job of a pointless group is left, taken or added', async () => {
        const coordinator = await queue.lead.coordinate(order);
        await coordinator.add([...sampleJobs(3), ...sampleJobs(3, { group: 'b' })]);
        const underWay = await takeOne();
        await coordinator.direct({ pointless: ['a'] });
        await coordinator.direct({ pointless: ['c'] });
        expect(await coordinator.progress()).toMatchObject({ waiting: 3, active: 1 });
        await coordinator.add([...sampleJobs(5), ...sampleJobs(1, { group: 'c' })]);
        expect(await coordinator.progress()).toMatchObject({ waiting: 3, active: 1 });
        await expect.poll(async () => (await session.orders())[0]?.directions.pointless, SOON).toEqual(['a', 'c']);
        expect(await ends(underWay.lease)).toBe(true);
        expect(keysOf(await takeOf(session, [work], 9))).toEqual(['b/0', 'b/1', 'b/2']);
        await coordinator.close();
      });

      test('a job of a pointless group that failed is not tried again', async () => {
        const coordinator = await queue.lead.coordinate(order);
        await coordinator.add(sampleJobs(1));
        const job = await takeOne();
        await coordinator.direct({ pointless: ['a'] });
        await job.failed('no disk');
        expect(await takeOf(session, [work], 1)).toEqual([]);
        expect(await coordinator.progress()).toEqual({ waiting: 0, again: 0, active: 0, failed: [], notices: [] });
        await coordinator.close();
      });
    });

    describe('workers', () => {
      test('are known while they have their session', async () => {
        const described = sampleWorker('w2', { labels: ['eu'], allowed_code: ['abc'] });
        const other = await queue.work.join(described);
        expect((await queue.lead.workers()).map(({ worker_id }) => worker_id).toSorted()).toEqual(['w1', 'w2']);
        expect(await queue.lead.workers()).toContainEqual(described);
        await other[Symbol.asyncDispose]();
        expect(await queue.lead.workers()).toEqual([sampleWorker()]);
      });

      test('are woken by new work, also when it came before they waited', async () => {
        await session.wait(20);
        const woken = session.wait(NEVER_MS);
        const coordinator = await queue.lead.coordinate(order);
        await woken;
        await session.wait(50);
        await coordinator.add(sampleJobs(1));
        await session.wait(NEVER_MS);
        await session.wait(NEVER_MS, AbortSignal.abort());
        await coordinator.close();
      });

      test('give the coordinator each notice once', async () => {
        const coordinator = await queue.lead.coordinate(order);
        const outage = {
          type: 'outage',
          worker: 'w',
          adapter: 'openai',
          model: 'm',
          message: '401',
          code: 'AUTH',
        } as const;
        const opened = await opening();
        await session.notify(opened, outage);
        await session.notify(opened, outage);
        const others: Notice[] = [
          { type: 'warning', message: 'teardown failed' },
          { type: 'budget', message: 'spent' },
          { type: 'refusal', worker: 'w', message: 'its code is not allowed' },
        ];
        for (const notice of others) await session.notify(opened, notice);
        expect((await coordinator.progress()).notices).toEqual([outage, ...others]);
        expect((await coordinator.progress()).notices).toEqual([]);
        await coordinator.close();
        await session.notify(opened, outage);
      });
    });

    test('the status counts the jobs of every order and lists the workers', async () => {
      const coordinator = await queue.lead.coordinate(order);
      await coordinator.add(sampleJobs(4));
      await takeOne();
      expect(await queue.lead.status()).toMatchObject({
        orders: [{ work, salvo_version: '1.0.0', is_led: true, waiting: 3, active: 1, failed: 0 }],
        workers: [{ worker_id: 'w1', host: 'host-a', labels: [] }],
      });
      await coordinator.close();
    });

    test('files are kept by their hash', async () => {
      const content = new Uint8Array([0, 255, 1]);
      expect(await queue.lead.missingFiles(['h1', 'h2'])).toEqual(['h1', 'h2']);
      await queue.lead.saveFiles([{ hash: 'h1', content }]);
      await queue.lead.saveFiles([{ hash: 'h1', content }]);
      expect(await queue.work.missingFiles(['h2', 'h1'])).toEqual(['h2']);
      const read = await queue.work.readFiles(['h1', 'h2']);
      expect([...read.keys()]).toEqual(['h1']);
      expect(Buffer.from(read.get('h1') ?? []).equals(content)).toBe(true);
    });
  });
}

import { beforeEach, describe, expect, test } from 'vitest';
import type { JobLease, Notice, Opening, TakenJob, WorkerSession } from '../../../salvo/src/queue/work-queue.ts';
import { queueUnderTest } from './queue-under-test.ts';
import { keysOf, openingsOf, SOON, sampleJobs, sampleOrder, sampleWorker, takeOf, takeOneOf } from './sample-order.ts';

/** Longer than a test may take: only who is woken waits for less. */
const NEVER_MS = 600_000;
const order = sampleOrder();
const { work } = order;
const tested = queueUnderTest();
let session: WorkerSession;
beforeEach(async () => {
  session = await tested.join();
});

const ends = (lease: JobLease): Promise<boolean> => tested.holds(lease, { ends: true });
const takeOne = (from = session): Promise<TakenJob> => takeOneOf(from, work);
async function opening(from: WorkerSession = session): Promise<Opening> {
  const [only] = await openingsOf(from);
  if (!only) throw new Error('no order is open');
  return only;
}

describe('orders', () => {
  test('workers see an order as it was opened, until it is closed', async () => {
    const coordinator = await tested.client.coordinate(order);
    expect(await session.orders()).toEqual([
      {
        order,
        generation: expect.any(Number),
        directions: { stops: 0, pointless: [], isOver: false },
        hasCoordinator: true,
      },
    ]);
    expect(await tested.workplace.orderOf(work)).toEqual(order);
    await coordinator.close();
    expect(await session.orders()).toEqual([]);
    expect(await tested.workplace.orderOf(work)).toBeNull();
  });

  test('an order without a coordinator stays, and is found by the next coordinator with its jobs and directions', async () => {
    const first = await tested.client.coordinate(order);
    await first.add(sampleJobs(3));
    await first.direct({ stops: 1, pointless: ['b'] });
    await first.direct({ isOver: true });
    await first[Symbol.asyncDispose]();
    const directions = { stops: 1, pointless: ['b'], isOver: true };
    expect(await session.orders()).toMatchObject([{ hasCoordinator: false, directions }]);

    const second = await tested.workplace.coordinate(sampleOrder('run-1', { bundle: 'other' }));
    expect(second.order).toEqual(order);
    expect(await second.progress()).toMatchObject({ waiting: 3 });
    // It may have jobs to add, so the work is not over.
    await expect
      .poll(async () => (await session.orders())[0], SOON)
      .toMatchObject({ hasCoordinator: true, directions: { ...directions, isOver: false } });
    await second.close();
  });

  test('a fresh order throws away what was left, and whoever has a job of it loses it', async () => {
    const first = await tested.client.coordinate(order);
    await first.add(sampleJobs(2));
    await first.direct({ stops: 1 });
    await first.direct({ stops: 0 });
    await expect.poll(async () => (await session.orders())[0]?.directions.stops, SOON).toBe(0);
    const job = await takeOne();

    const changed = sampleOrder('run-1', { bundle: 'other' });
    const second = await tested.client.coordinate(changed, { fresh: true });
    expect(await session.orders()).toMatchObject([{ order: changed, directions: { stops: 0 } }]);
    expect(await second.progress()).toEqual({ waiting: 0, again: 0, active: 0, failed: [], notices: [] });
    expect(await ends(job.lease)).toBe(false);
    await expect.poll(() => job.lost.aborted, SOON).toBe(true);
    await second.add(sampleJobs(2));
    expect(await second.progress()).toMatchObject({ waiting: 2 });
    await second.close();
  });

  test('an order that is opened afresh has nothing for those who know it as it was before', async () => {
    const first = await tested.client.coordinate(order);
    const before = await opening();
    const second = await tested.client.coordinate(order, { fresh: true });
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
    const coordinator = await tested.client.coordinate(oddOrder);
    await coordinator.add([{ key: odd, group: odd, labels: [odd], data: { [odd]: odd } }]);
    await using other = await tested.workplace.join(sampleWorker('w2', { labels: [odd] }));
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

describe('directions', () => {
  test('after a stop no job is taken, and those under way can end', async () => {
    const coordinator = await tested.client.coordinate(order);
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
    const coordinator = await tested.client.coordinate(order);
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
    const coordinator = await tested.client.coordinate(order);
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
    const other = await tested.workplace.join(described);
    expect((await tested.client.workers()).map(({ worker_id }) => worker_id).toSorted()).toEqual(['w1', 'w2']);
    expect(await tested.client.workers()).toContainEqual(described);
    await other[Symbol.asyncDispose]();
    expect(await tested.client.workers()).toEqual([sampleWorker()]);
  });

  test('are woken by new work, also when it came before they waited', async () => {
    await session.wait(20);
    const woken = session.wait(NEVER_MS);
    const coordinator = await tested.client.coordinate(order);
    await woken;
    await session.wait(50);
    await coordinator.add(sampleJobs(1));
    await session.wait(NEVER_MS);
    await session.wait(NEVER_MS, AbortSignal.abort());
    await coordinator.close();
  });

  test('give the coordinator each notice once', async () => {
    const coordinator = await tested.client.coordinate(order);
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
  const coordinator = await tested.client.coordinate(order);
  await coordinator.add(sampleJobs(4));
  await takeOne();
  expect(await tested.client.status()).toMatchObject({
    orders: [{ work, salvo_version: '1.0.0', has_coordinator: true, waiting: 3, active: 1, failed: 0 }],
    workers: [{ worker_id: 'w1', host: 'host-a', labels: [] }],
  });
  await coordinator.close();
});

test('files are kept by their hash', async () => {
  const content = new Uint8Array([0, 255, 1]);
  expect(await tested.client.missingFiles(['h1', 'h2'])).toEqual(['h1', 'h2']);
  await tested.client.saveFiles([{ hash: 'h1', content }]);
  await tested.client.saveFiles([{ hash: 'h1', content }]);
  expect(await tested.workplace.missingFiles(['h2', 'h1'])).toEqual(['h2']);
  const read = await tested.workplace.readFiles(['h1', 'h2']);
  expect([...read.keys()]).toEqual(['h1']);
  expect(Buffer.from(read.get('h1') ?? []).equals(content)).toBe(true);
});

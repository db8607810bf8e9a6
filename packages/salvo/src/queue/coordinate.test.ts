import { expect, test } from 'vitest';
import { createMemoryQueue } from '../../../salvo-postgres/test/queue/memory-queue.ts';
import { openingsOf, takeOf } from '../../../salvo-postgres/test/queue/sample-order.ts';
import { coordinate } from './coordinate.ts';
import { createNoticedOutages } from './noticed-outages.ts';
import type { Job, WorkOrder } from './work-queue.ts';

const order: WorkOrder = {
  ...{ work: { kind: 'experiment', id: 'e1' }, salvo_version: '1', bundle: 'p', code: [], settings: {} },
};
const job: Job = { key: '1', group: 'games', labels: [], data: {} };
const never = new AbortController().signal;

test('an attempt that was lost is noticed, even if its job was repeated and ended between two looks', async () => {
  await using queue = createMemoryQueue();
  const led = await queue.coordinate(order);
  const session = await queue.join({
    ...{ worker_id: 'w', host: 'h', pid: 1, salvo_version: '1', labels: [], concurrency: 1, allowed_code: [] },
  });
  await led.add([job]);
  const [first] = await takeOf(session, [order.work], 1);
  await first?.failed('lost');
  const [second] = await takeOf(session, [order.work], 1);
  const [opening] = await openingsOf(session);
  if (opening) await session.notify(opening, { type: 'repeated', message: '' });
  await second?.done();
  let wasRepeated = false;
  await coordinate(
    {
      ...{ openOrder: async () => led, isTakenOver: true, wasAttemptLost: () => false, claimedAt: () => '' },
      ...{ whyNoWorker: async () => null, fittingWorkers: async () => [], workersNow: async () => new Set<string>() },
    },
    {
      ...{ outages: createNoticedOutages(), earlier: { spentUsd: 0 }, jobs: () => [job], pointless: () => [] },
      ...{ onFailed: async () => {}, onEvent: () => {}, count: () => {} },
      changed: async (cursor) => ({ results: [], cursor }),
      onAgain: () => {
        wasRepeated = true;
      },
      ended: async () => ({ budgetRefusal: null }),
    },
    { lost: never, stop: never, abort: never },
  );
  expect(wasRepeated).toBe(true);
});

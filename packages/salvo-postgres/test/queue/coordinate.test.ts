import { expect, test } from 'vitest';
import { coordinate } from '../../../salvo/src/queue/coordinate.ts';
import { createNoticedOutages } from '../../../salvo/src/queue/noticed-outages.ts';
import { openWorkQueue } from '../../src/queue/open-work-queue.ts';
import { PACE, queueUnderTest } from './queue-under-test.ts';
import { openingsOf, sampleJobs, sampleOrder, sampleWorker, takeOf } from './sample-order.ts';

const order = sampleOrder();
const tested = queueUnderTest();
const never = new AbortController().signal;

test('an attempt that was lost is noticed, even if its job was repeated and ended between two looks', async () => {
  await using queue = await openWorkQueue({ postgres: tested.postgres, pace: PACE });
  const led = await queue.coordinate(order);
  await using session = await queue.join(sampleWorker());
  await led.add(sampleJobs(1));
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
      ...{ whyNoWorker: async () => null, workers: async () => [], fitting: () => [] },
    },
    {
      ...{ outages: createNoticedOutages(), earlier: { spentUsd: 0 }, jobs: () => sampleJobs(1), pointless: () => [] },
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

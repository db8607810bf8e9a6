import { expect, test } from 'vitest';
import { coordinate } from '../../../salvo/src/queue/coordinate.ts';
import { queueUnderTest } from './queue-under-test.ts';
import { openingsOf, sampleJobs, sampleOrder, takeOf } from './sample-order.ts';

const order = sampleOrder();
const jobs = sampleJobs(1);
const never = new AbortController().signal;
const tested = queueUnderTest();

test('an attempt that was lost is noticed, even if its job was repeated and ended between two looks', async () => {
  const coordinated = await tested.client.coordinate(order);
  const session = await tested.join();
  await coordinated.add(jobs);
  const [first] = await takeOf(session, [order.work], 1);
  await first?.failed('lost');
  const [second] = await takeOf(session, [order.work], 1);
  const [opening] = await openingsOf(session);
  if (opening) await session.notify(opening, { type: 'repeated', message: '' });
  await second?.done();
  let wasRepeated = false;
  await coordinate(
    {
      ...{ openOrder: async () => coordinated, isTakenOver: true, wasAttemptLost: () => false, claimedAt: () => '' },
      ...{ whyNoWorker: async () => null, workers: async () => [], fitting: () => [] },
    },
    {
      ...{ jobs: () => jobs, pointless: () => [], onFailed: async () => {}, onEvent: () => {}, count: () => {} },
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

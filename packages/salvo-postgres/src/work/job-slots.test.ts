import type { TakenJob } from 'salvo/kit/queue';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { JobSlots } from './job-slots.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Jobs whose results are stored when the test says so. */
function jobsOf(slots: JobSlots) {
  const running = new Set<string>();
  const givenBack: string[] = [];
  return {
    running,
    givenBack,
    async begin(key: string) {
      const stored = Promise.withResolvers<boolean>();
      const job: TakenJob = {
        ...{ key, group: 'g', labels: [], data: {}, work: { kind: 'run', id: 'r' }, attempt: 1, isUntouched: true },
        lost: new AbortController().signal,
        lease: { jobId: key, token: 1, hasEnded: false },
        async confirm() {},
        async done() {},
        async failed() {},
        async giveBack() {
          givenBack.push(key);
        },
      };
      const ended = slots.perform(job, async () => {
        running.add(key);
        return await stored.promise.finally(() => running.delete(key));
      });
      await vi.advanceTimersByTimeAsync(0);
      return {
        ended,
        async hasResult() {
          running.delete(key);
          job.lease.onResult?.();
          await vi.advanceTimersByTimeAsync(0);
        },
        async isStored() {
          stored.resolve(true);
          await vi.advanceTimersByTimeAsync(0);
        },
      };
    },
  };
}

test('no more jobs run at once than the concurrency, and the next begins when one has a result', async () => {
  const slots = new JobSlots(2);
  const { begin, running } = jobsOf(slots);
  const [a, b] = [await begin('a'), await begin('b')];
  const c = await begin('c');
  expect([...running]).toEqual(['a', 'b']);
  await a.hasResult();
  expect([...running]).toEqual(['b', 'c']);
  // It was counted when it had its result.
  await a.isStored();
  await begin('d');
  expect([...running]).toEqual(['b', 'c']);
  await b.isStored();
  expect([...running]).toEqual(['c', 'd']);
  await c.isStored();
  expect(await Promise.all([a.ended, b.ended, c.ended])).toEqual([true, true, true]);
});

test('jobs are taken in advance only if the last one was quick', async () => {
  const slots = new JobSlots(2);
  const { begin } = jobsOf(slots);
  expect(slots.most).toBe(2);
  const quick = await begin('quick');
  await vi.advanceTimersByTimeAsync(39);
  await quick.hasResult();
  expect(slots.most).toBe(8);
  const slow = await begin('slow');
  await vi.advanceTimersByTimeAsync(40);
  await slow.hasResult();
  expect(slots.most).toBe(2);
});

test('what waits for too long is given back, and nothing more is taken in advance', async () => {
  const slots = new JobSlots(1);
  const { begin, running, givenBack } = jobsOf(slots);
  const quick = await begin('quick');
  await quick.hasResult();
  const slow = await begin('slow');
  const late = await begin('late');
  await vi.advanceTimersByTimeAsync(400);
  slots.leaveLate();
  expect([slots.most, givenBack]).toEqual([4, []]);
  await vi.advanceTimersByTimeAsync(1);
  slots.leaveLate();
  expect(await late.ended).toBe(false);
  expect([slots.most, givenBack, [...running]]).toEqual([1, ['late'], ['slow']]);
  await slow.isStored();
  await begin('next');
  expect([...running]).toEqual(['next']);
});

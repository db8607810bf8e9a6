import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLimiter } from './limiter.ts';
import type { Sleep } from './retry-policy.ts';

/** A clock that only moves when the test moves it. */
function fakeClock() {
  let time = 0;
  const sleepers = new Set<{ until: number; wake: () => void }>();
  const sleep: Sleep = (seconds, signal) =>
    new Promise((resolve, reject) => {
      const sleeper = { until: time + seconds, wake: resolve };
      sleepers.add(sleeper);
      signal?.addEventListener('abort', () => {
        sleepers.delete(sleeper);
        reject(new Error('woken'));
      });
    });
  return {
    now: () => time,
    sleep,
    sleeping: () => sleepers.size,
    async goTo(target: number) {
      for (;;) {
        await settle();
        const next = [...sleepers].filter(({ until }) => until <= target).sort((a, b) => a.until - b.until)[0];
        if (next === undefined) break;
        time = Math.max(time, next.until);
        sleepers.delete(next);
        next.wake();
      }
      time = target;
    },
  };
}

/** Lets everything that can go on without the clock go on. */
async function settle() {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

function request() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const state = { started: false };
  return {
    state,
    resolve,
    reject,
    send: () => {
      state.started = true;
      return promise;
    },
  };
}

describe('a limit of requests at once', () => {
  it('lets that many run, and the next in order of arrival', async () => {
    const limiter = createLimiter({ max_concurrency: 2 });
    const requests = [request(), request(), request(), request()];
    const done = requests.map(({ send }) => limiter.run(send));
    await settle();
    expect(requests.map(({ state }) => state.started)).toEqual([true, true, false, false]);
    requests[1]?.resolve('b');
    await settle();
    expect(requests.map(({ state }) => state.started)).toEqual([true, true, true, false]);
    for (const { resolve } of requests) resolve('x');
    expect(await Promise.all(done)).toEqual(['x', 'b', 'x', 'x']);
  });

  it('frees the slot of a request that fails', async () => {
    const limiter = createLimiter({ max_concurrency: 1 });
    await expect(limiter.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(
      limiter.run(() => {
        throw new Error('at once');
      }),
    ).rejects.toThrow('at once');
    expect(await limiter.run(async () => 'yes')).toBe('yes');
  });

  it('is never exceeded, whatever the order in which requests end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 30 }),
        async (max_concurrency, waits) => {
          const limiter = createLimiter({ max_concurrency });
          let running = 0;
          let most = 0;
          const order: number[] = [];
          const send = (index: number, wait: number) => async () => {
            order.push(index);
            most = Math.max(most, ++running);
            for (let i = 0; i < wait; i++) await Promise.resolve();
            running--;
          };
          await Promise.all(waits.map((wait, index) => limiter.run(send(index, wait))));
          expect(most).toBeLessThanOrEqual(max_concurrency);
          expect(order).toEqual(waits.map((_, index) => index));
        },
      ),
    );
  });
});

describe('a limit of requests per minute', () => {
  async function startTimes({ requests_per_minute, count }: { requests_per_minute: number; count: number }) {
    const clock = fakeClock();
    const limiter = createLimiter({ requests_per_minute, now: clock.now, sleep: clock.sleep });
    const starts: number[] = [];
    const all = Promise.all(Array.from({ length: count }, () => limiter.run(async () => starts.push(clock.now()))));
    await clock.goTo(100_000);
    await all;
    expect(clock.sleeping()).toBe(0);
    return starts;
  }

  it('lets a minute of requests start at once, and the others as the window moves on', async () => {
    expect(await startTimes({ requests_per_minute: 2, count: 5 })).toEqual([0, 0, 60, 60, 120]);
  });

  it('may be less than one, or a fraction', async () => {
    expect(await startTimes({ requests_per_minute: 0.5, count: 3 })).toEqual([0, 120, 240]);
    expect(await startTimes({ requests_per_minute: 1.5, count: 3 })).toEqual([0, 40, 80]);
  });

  it('holds in every window of a minute', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 40 }), async (limit, count) => {
        const starts = await startTimes({ requests_per_minute: limit, count });
        expect(starts).toHaveLength(count);
        for (const start of starts) {
          expect(starts.filter((other) => other >= start && other < start + 60).length).toBeLessThanOrEqual(limit);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('stopping', () => {
  it('ends the wait at once and lets the next one in', async () => {
    const limiter = createLimiter({ max_concurrency: 1 });
    const [first, second, third] = [request(), request(), request()];
    const controller = new AbortController();
    const done = limiter.run(first.send);
    const stopped = limiter.run(second.send, controller.signal);
    const last = limiter.run(third.send);
    controller.abort();
    await expect(stopped).rejects.toMatchObject({ kind: 'aborted' });
    first.resolve('a');
    third.resolve('c');
    expect(await Promise.all([done, last])).toEqual(['a', 'c']);
    expect(second.state.started).toBe(false);
  });

  it('leaves no timer behind when no request waits any more', async () => {
    const clock = fakeClock();
    const limiter = createLimiter({ requests_per_minute: 1, now: clock.now, sleep: clock.sleep });
    await limiter.run(async () => 'a');
    const controller = new AbortController();
    const waiting = limiter.run(async () => 'b', controller.signal);
    await settle();
    expect(clock.sleeping()).toBe(1);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ kind: 'aborted' });
    expect(clock.sleeping()).toBe(0);
  });

  it('refuses every later request, with limits or without', async () => {
    const signal = AbortSignal.abort();
    for (const limits of [{}, { max_concurrency: 1 }]) {
      const { send, state } = request();
      await expect(createLimiter(limits).run(send, signal)).rejects.toMatchObject({ kind: 'aborted' });
      expect(state.started).toBe(false);
    }
  });
});

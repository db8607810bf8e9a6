import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createVirtualTime } from '../../../../test/limits/virtual-time.ts';
import { areRequestsWanted, leaseRequests, type RequestReport, requestLimitSchema } from './request-limit.ts';
import { SharedLimiter } from './shared-limiter.ts';

type Limits = Pick<RequestReport, 'max_concurrency' | 'requests_per_minute'>;

/** A provider that writes down when requests began and ended, and processes that send them. */
function createProvider(limits: Limits, { delayMs = 2 } = {}) {
  const time = createVirtualTime();
  const limit = requestLimitSchema.parse({});
  const lastBeat = new Map<string, number>();
  const starts: { at: number; by: string }[] = [];
  const reports = { count: 0 };
  let running = 0;
  let mostRunning = 0;

  function join(id: string) {
    let isDead = false;
    let beatAt = 0;
    const beat = (sent: number): void => {
      beatAt = sent;
      lastBeat.set(id, time.nowMs());
    };
    const limiter = new SharedLimiter({
      limits,
      isReachable: () => time.nowMs() - beatAt < 8000,
      nowMs: time.nowMs,
      after: time.after,
      async leaseRequests(report) {
        const sent = time.nowMs();
        await time.sleep(delayMs);
        if (isDead) return new Promise<never>(() => {});
        beat(sent);
        reports.count += 1;
        const isAlive = (other: string) => time.nowMs() - (lastBeat.get(other) ?? -Infinity) < 10_000;
        const at = { nowMs: time.nowMs(), isAlive };
        // Through JSON, as in a database. Twice, as when an answer is lost.
        const given = JSON.parse(JSON.stringify({ limit, report }));
        leaseRequests(given.limit, id, given.report, at);
        const answer = leaseRequests(given.limit, id, given.report, at);
        Object.assign(limit, given.limit);
        await time.sleep(delayMs);
        return isDead ? new Promise<never>(() => {}) : answer;
      },
    });
    const beatAgain = (): void => {
      if (isDead) return;
      beat(time.nowMs());
      if (areRequestsWanted(limit, time.nowMs())) limiter.giveBack();
      time.after(1000, beatAgain);
    };
    time.after(1000, beatAgain);
    const never = new Promise<never>(() => {});
    const send = (ms: number) =>
      limiter.run(async () => {
        if (isDead) return never;
        starts.push({ at: time.nowMs(), by: id });
        running += 1;
        mostRunning = Math.max(mostRunning, running);
        await time.sleep(ms);
        running -= 1;
        return isDead ? never : undefined;
      });
    return {
      limiter,
      kill() {
        isDead = true;
      },
      /** Sends so many requests, some at once, one after the other. */
      async sendAll(requests: number, { atOnce, ms }: { atOnce: number; ms: number }): Promise<void> {
        let left = requests;
        const sender = async (): Promise<void> => {
          while (left > 0) {
            left -= 1;
            await send(ms);
          }
        };
        await Promise.all(Array.from({ length: atOnce }, sender));
      },
    };
  }
  return {
    join,
    time,
    starts,
    reports,
    mostRunning: () => mostRunning,
    countOf: (id: string, before = Number.POSITIVE_INFINITY) =>
      starts.filter(({ by, at }) => by === id && at < before).length,
  };
}

function mostInWindow(starts: readonly { at: number }[], windowMs: number): number {
  const times = starts.map(({ at }) => at);
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + windowMs).length));
}

describe('requests at once, over all processes', () => {
  it('are never more than allowed, and as many as that when they are wanted', async () => {
    const provider = createProvider({ max_concurrency: 5, requests_per_minute: null });
    const members = ['a', 'b', 'c'].map(provider.join);
    const sent = members.map((member) => member.sendAll(100, { atOnce: 4, ms: 200 }));
    await provider.time.passUntil(Promise.all(sent));
    expect(provider.mostRunning()).toBe(5);
    // 300 requests of 0.2 s, 5 at a time, are 12 s.
    expect(provider.time.nowMs()).toBeLessThan(15_000);
  });

  it('go round when there are fewer places than processes', async () => {
    const provider = createProvider({ max_concurrency: 1, requests_per_minute: null });
    const members = ['a', 'b', 'c'].map(provider.join);
    void members.map((member) => member.sendAll(1000, { atOnce: 2, ms: 100 }));
    await provider.time.passUntil(provider.time.sleep(60_000));
    expect(provider.mostRunning()).toBe(1);
    for (const id of ['a', 'b', 'c']) expect(provider.countOf(id)).toBeGreaterThan(120);
  });

  it('are all there for the one process that needs them, and shared with the next that comes', async () => {
    const provider = createProvider({ max_concurrency: 10, requests_per_minute: null });
    void provider.join('a').sendAll(1000, { atOnce: 20, ms: 1000 });
    await provider.time.passUntil(provider.time.sleep(10_000));
    expect(provider.mostRunning()).toBe(10);
    void provider.join('b').sendAll(1000, { atOnce: 20, ms: 1000 });
    await provider.time.passUntil(provider.time.sleep(20_000));
    const late = provider.starts.filter(({ at }) => at > 20_000);
    const ofB = late.filter(({ by }) => by === 'b').length / late.length;
    expect(ofB).toBeGreaterThan(0.4);
    expect(ofB).toBeLessThan(0.6);
    expect(provider.mostRunning()).toBe(10);
  });

  it('are taken over from the dead', async () => {
    const provider = createProvider({ max_concurrency: 2, requests_per_minute: null });
    const dying = provider.join('dying');
    void dying.sendAll(100, { atOnce: 2, ms: 1000 });
    await provider.time.passUntil(provider.time.sleep(500));
    dying.kill();
    await provider.time.passUntil(provider.join('heir').sendAll(4, { atOnce: 2, ms: 100 }));
    expect(provider.time.nowMs()).toBeGreaterThan(9000);
    expect(provider.time.nowMs()).toBeLessThan(13_000);
  });

  it('need no report each', async () => {
    const provider = createProvider({ max_concurrency: 10, requests_per_minute: null });
    const sent = ['a', 'b'].map((id) => provider.join(id).sendAll(500, { atOnce: 4, ms: 100 }));
    await provider.time.passUntil(Promise.all(sent));
    expect(provider.reports.count).toBeLessThan(20);
  });
});

describe('requests per minute, over all processes', () => {
  it('hold over any minute, and no request has to wait without need', async () => {
    const provider = createProvider({ max_concurrency: null, requests_per_minute: 60 });
    const sent = ['a', 'b', 'c'].map((id) => provider.join(id).sendAll(60, { atOnce: 5, ms: 10 }));
    await provider.time.passUntil(Promise.all(sent));
    expect(mostInWindow(provider.starts, 60_000)).toBe(60);
    // 180 requests: the first 60 at once, the last 60 after two minutes.
    expect(provider.time.nowMs()).toBeLessThan(125_000);
    for (const id of ['a', 'b', 'c']) expect(provider.countOf(id, 60_000)).toBeGreaterThan(10);
  });

  it('go round when there are fewer than processes', async () => {
    const provider = createProvider({ max_concurrency: null, requests_per_minute: 2 });
    for (const id of ['a', 'b', 'c']) void provider.join(id).sendAll(100, { atOnce: 2, ms: 10 });
    await provider.time.passUntil(provider.time.sleep(600_000));
    for (const id of ['a', 'b', 'c']) expect(provider.countOf(id)).toBeGreaterThanOrEqual(5);
    expect(provider.starts).toHaveLength(20);
  });

  it('need no report each', async () => {
    const provider = createProvider({ max_concurrency: null, requests_per_minute: 6000 });
    const sent = ['a', 'b'].map((id) => provider.join(id).sendAll(500, { atOnce: 4, ms: 200 }));
    await provider.time.passUntil(Promise.all(sent));
    expect(provider.reports.count).toBeLessThan(60);
  });
});

describe('limits that several processes keep together', () => {
  it('hold for any number of processes, requests, deaths and delays, and every request is sent', async () => {
    const someMember = fc.record({
      requests: fc.integer({ min: 0, max: 30 }),
      atOnce: fc.integer({ min: 1, max: 8 }),
      ms: fc.integer({ min: 0, max: 2500 }),
      comesAt: fc.integer({ min: 0, max: 30_000 }),
      diesAfter: fc.option(fc.integer({ min: 0, max: 20_000 }), { freq: 3 }),
    });
    const someLimits = fc
      .record({
        max_concurrency: fc.option(fc.integer({ min: 1, max: 6 })),
        requests_per_minute: fc.option(fc.integer({ min: 3, max: 120 }).map((number) => number / 2)),
      })
      .filter((limits) => limits.max_concurrency !== null || limits.requests_per_minute !== null);
    await fc.assert(
      fc.asyncProperty(
        someLimits,
        fc.array(someMember, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 0, max: 200 }),
        async (limits, members, delayMs) => {
          const provider = createProvider(limits, { delayMs });
          let orphans = 0;
          const done = members.map(async ({ requests, comesAt, diesAfter, ...how }, at) => {
            await provider.time.sleep(comesAt);
            const member = provider.join(`m${at}`);
            const sent = member.sendAll(requests, how).then(() => member.limiter[Symbol.asyncDispose]());
            if (diesAfter === null) return sent;
            const death = provider.time.sleep(diesAfter).then(() => {
              member.kill();
              // What the dead had under way still runs at the provider.
              orphans += how.atOnce;
            });
            return Promise.race([death, sent]);
          });
          await provider.time.passUntil(Promise.all(done), 7_200_000);
          if (limits.max_concurrency !== null) {
            expect(provider.mostRunning()).toBeLessThanOrEqual(limits.max_concurrency + orphans);
          }
          if (limits.requests_per_minute !== null) {
            const most = Math.max(1, Math.floor(limits.requests_per_minute));
            const windowMs = (60_000 * most) / limits.requests_per_minute;
            expect(mostInWindow(provider.starts, windowMs)).toBeLessThanOrEqual(most);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

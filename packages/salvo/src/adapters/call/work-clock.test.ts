import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLimiter } from '../../models/call/limiter.ts';
import { startWorkClock } from './work-clock.ts';

const late = new Error('late');

describe('a clock of work', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const start = (seconds: number, abort?: AbortSignal) =>
    startWorkClock({ seconds, timeoutError: () => late, abort, now: () => Date.now() });

  it('aborts when the time is up', () => {
    using clock = start(10);
    vi.advanceTimersByTime(9_999);
    expect(clock.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(clock.signal.reason).toBe(late);
  });

  it('does not count waits', async () => {
    using clock = start(10);
    vi.advanceTimersByTime(4_000);
    const free = Promise.withResolvers<string>();
    const waited = clock.whileWaiting(() => free.promise);
    vi.advanceTimersByTime(3_600_000);
    expect(clock.workedSeconds()).toBe(4);
    free.resolve('a place');
    expect(await waited).toBe('a place');
    vi.advanceTimersByTime(5_000);
    expect(clock).toMatchObject({ signal: { aborted: false } });
    expect([clock.workedSeconds(), clock.secondsLeft()]).toEqual([9, 1]);
    vi.advanceTimersByTime(1_000);
    expect(clock.signal.reason).toBe(late);
  });

  it('counts the work after a wait that failed', async () => {
    using clock = start(10);
    await expect(clock.whileWaiting(() => Promise.reject(new Error('left')))).rejects.toThrow('left');
    vi.advanceTimersByTime(10_000);
    expect(clock.signal.reason).toBe(late);
  });

  it('is aborted during a wait, too', async () => {
    const controller = new AbortController();
    using clock = start(10, controller.signal);
    const limiter = createLimiter({ max_concurrency: 1 });
    void limiter.run(() => new Promise(() => {}));
    const waiting = limiter.run(async () => 'sent', clock.signal, clock.whileWaiting);
    controller.abort(new Error('stop'));
    await expect(waiting).rejects.toMatchObject({ kind: 'aborted' });
    expect(clock.signal.reason).toEqual(new Error('stop'));
  });

  it('tells that the time is up after code that never let its timer fire', () => {
    let now = 0;
    using clock = startWorkClock({ seconds: 10, timeoutError: () => late, now: () => now });
    now = 10_000;
    expect(clock.signal.aborted).toBe(false);
    expect(() => clock.throwIfOver()).toThrow(late);
  });

  it('leaves no timer behind', () => {
    start(10)[Symbol.dispose]();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('starts one timer, however often it stops and goes on', async () => {
    // A spy on a false timer would stay when the real ones are back, for all files that follow.
    vi.useRealTimers();
    using timers = vi.spyOn(globalThis, 'setTimeout');
    using clock = start(10);
    for (let wait = 0; wait < 20; wait += 1) await clock.whileWaiting(async () => {});
    expect(timers).toHaveBeenCalledTimes(1);
  });

  it('listens once to a signal that many share, and is not called after its end', () => {
    const controller = new AbortController();
    const over = Array.from({ length: 5 }, () => start(10, controller.signal));
    const open = Array.from({ length: 5 }, () => start(10, controller.signal));
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
    for (const clock of [...over, ...over]) clock[Symbol.dispose]();
    controller.abort(late);
    expect(over.map(({ signal }) => signal.aborted)).toEqual(Array(5).fill(false));
    expect(open.map(({ signal }) => signal.reason)).toEqual(Array(5).fill(late));
    for (const clock of open) clock[Symbol.dispose]();
  });
});

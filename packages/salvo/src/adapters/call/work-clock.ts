import { createRemovableList, type RemovableList } from '../../text/removable-list.ts';
import type { WhileWaiting } from '../adapter.ts';

/** A time limit for work that does not count the time in our own queues. Dispose of it when the work is over. */
export interface WorkClock extends Disposable {
  /** Aborted when the time is up, or when the caller's signal is. Its reason is the error for that. */
  readonly signal: AbortSignal;
  workedSeconds(): number;
  /** At least 0. */
  secondsLeft(): number;
  /** The clock does not run during the wait. */
  whileWaiting: WhileWaiting;
  /**
   * Throws the reason if the time is up. Code that never yields keeps the timer from firing, so that the signal alone
   * would not tell.
   */
  throwIfOver(): void;
}

/** Node's longest timer. A longer one would fire at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface WorkLimit {
  seconds: number;
  /** The reason of the signal when the time is up. */
  timeoutError: () => Error;
  abort?: AbortSignal | undefined;
  /** The reason of the signal when `abort` was aborted; the reason of `abort` if it is missing. */
  abortError?: (() => Error) | undefined;
  /** Milliseconds on a monotonic clock. */
  now?: (() => number) | undefined;
}

/** Calls a function, such as one of the user. Rejects when the time is up, also if the function never returns control until then. */
export async function withWorkLimit<T>(limit: WorkLimit, work: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
  using clock = startWorkClock(limit);
  const { signal } = clock;
  signal.throwIfAborted();
  const over = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => over.reject(signal.reason), { once: true });
  try {
    const done = await Promise.race([(async () => await work(signal))(), over.promise]);
    clock.throwIfOver();
    return done;
  } catch (error) {
    // Once the signal has fired, an error of the work is only a consequence of being stopped.
    throw signal.aborted ? signal.reason : error;
  }
}

export function startWorkClock(options: WorkLimit): WorkClock {
  const { seconds, abort, now = () => performance.now() } = options;
  const controller = new AbortController();
  let workedMs = 0;
  /** Null while the clock does not run. */
  let since: number | null = null;
  let waits = 0;
  let timer: NodeJS.Timeout | undefined;

  const worked = (): number => workedMs + (since === null ? 0 : now() - since);
  const timeUp = (): void => controller.abort(options.timeoutError());
  const look = (): void => {
    timer = undefined;
    if (since === null) return;
    if (worked() >= seconds * 1000) timeUp();
    else startTimer();
  };
  const startTimer = (): void => {
    timer = setTimeout(look, Math.min(Math.max(0, seconds * 1000 - worked()), LONGEST_TIMER_MS));
  };
  // A clock stops and goes on several times for each request, so it keeps its timer, which looks again if it is early.
  const run = (): void => {
    since = now();
    if (timer === undefined) startTimer();
  };
  const pause = (): void => {
    workedMs = worked();
    since = null;
  };
  const onAbort = (): void => controller.abort(options.abortError?.() ?? abort?.reason);
  if (abort?.aborted) onAbort();
  const ignoreAbort = abort && whenAborted(abort, onAbort);
  run();

  return {
    signal: controller.signal,
    workedSeconds: () => worked() / 1000,
    secondsLeft: () => Math.max(0, seconds - worked() / 1000),
    async whileWaiting(wait) {
      if (waits === 0) pause();
      waits += 1;
      try {
        return await wait();
      } finally {
        waits -= 1;
        if (waits === 0 && !controller.signal.aborted) run();
      }
    },
    throwIfOver() {
      if (!controller.signal.aborted && worked() >= seconds * 1000) timeUp();
      controller.signal.throwIfAborted();
    },
    [Symbol.dispose]() {
      if (since !== null) pause();
      clearTimeout(timer);
      ignoreAbort?.();
    },
  };
}

const callbacks = new WeakMap<AbortSignal, RemovableList<() => void>>();

/**
 * Calls back when the signal is aborted, until the returned function is called. For signals that all trials of a run
 * share: each has one listener. `AbortSignal.any` would accumulate on them, and a listener that was removed can
 * keep the next one alive, with all objects of its trial, until the next full garbage collection.
 */
function whenAborted(signal: AbortSignal, call: () => void): () => void {
  return (callbacks.get(signal) ?? listenTo(signal)).add(call);
}

/** A signal that is aborted when one of the two is. */
export function eitherSignal(
  signal: AbortSignal | undefined,
  stop: AbortSignal | undefined,
): Disposable & { signal: AbortSignal } {
  if (stop === undefined || signal === undefined) {
    return { signal: signal ?? stop ?? new AbortController().signal, [Symbol.dispose]() {} };
  }
  const controller = new AbortController();
  const onAbort = (): void => controller.abort((signal.aborted ? signal : stop).reason);
  if (signal.aborted || stop.aborted) onAbort();
  const ignored = [whenAborted(signal, onAbort), whenAborted(stop, onAbort)];
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const ignore of ignored) ignore();
    },
  };
}

function listenTo(signal: AbortSignal): RemovableList<() => void> {
  const list = createRemovableList<() => void>();
  callbacks.set(signal, list);
  signal.addEventListener('abort', () => {
    for (const call of list.items()) call();
  });
  return list;
}

import type { WhileWaiting } from '../adapter.ts';
import { whenAborted } from './shared-signal.ts';

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

export function startWorkClock(limit: WorkLimit): WorkClock {
  return new RunningClock(limit);
}

class RunningClock implements WorkClock {
  readonly #limit: WorkLimit;
  readonly #controller = new AbortController();
  readonly #ignoreAbort: (() => void) | undefined;
  #workedMs = 0;
  /** Null while the clock does not run. */
  #since: number | null = null;
  #waits = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limit: WorkLimit) {
    this.#limit = limit;
    const { abort, abortError } = limit;
    const onAbort = (): void => this.#controller.abort(abortError?.() ?? abort?.reason);
    if (abort?.aborted) onAbort();
    this.#ignoreAbort = abort && whenAborted(abort, onAbort);
    this.#run();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  workedSeconds(): number {
    return this.#worked() / 1000;
  }

  secondsLeft(): number {
    return Math.max(0, this.#limit.seconds - this.#worked() / 1000);
  }

  readonly whileWaiting: WhileWaiting = async (wait) => {
    if (this.#waits === 0) this.#pause();
    this.#waits += 1;
    try {
      return await wait();
    } finally {
      this.#waits -= 1;
      if (this.#waits === 0 && !this.signal.aborted) this.#run();
    }
  };

  throwIfOver(): void {
    if (!this.signal.aborted && this.#isOver()) this.#timeUp();
    this.signal.throwIfAborted();
  }

  [Symbol.dispose](): void {
    if (this.#since !== null) this.#pause();
    clearTimeout(this.#timer);
    this.#ignoreAbort?.();
  }

  #now(): number {
    return this.#limit.now?.() ?? performance.now();
  }

  #worked(): number {
    return this.#workedMs + (this.#since === null ? 0 : this.#now() - this.#since);
  }

  #isOver(): boolean {
    return this.#worked() >= this.#limit.seconds * 1000;
  }

  #timeUp(): void {
    this.#controller.abort(this.#limit.timeoutError());
  }

  /** A clock stops and goes on several times for each request, so it keeps its timer, which looks again if it is early. */
  #run(): void {
    this.#since = this.#now();
    if (this.#timer === undefined) this.#startTimer();
  }

  #pause(): void {
    this.#workedMs = this.#worked();
    this.#since = null;
  }

  #startTimer(): void {
    const left = Math.max(0, this.#limit.seconds * 1000 - this.#worked());
    this.#timer = setTimeout(() => this.#look(), Math.min(left, LONGEST_TIMER_MS));
  }

  #look(): void {
    this.#timer = undefined;
    if (this.#since === null) return;
    if (this.#isOver()) this.#timeUp();
    else this.#startTimer();
  }
}

import type { WhileWaiting } from '../../adapters/adapter.ts';
import { AdapterError } from '../../adapters/adapter-error.ts';
import { sleep as realSleep, type Sleep } from './retry-policy.ts';

interface LimiterOptions {
  max_concurrency?: number | undefined;
  requests_per_minute?: number | undefined;
  /** Seconds on a monotonic clock. */
  now?: (() => number) | undefined;
  sleep?: Sleep | undefined;
}

/** Starts requests as fast as an adapter's limits allow, in order of arrival. */
export interface Limiter {
  /** `whileWaiting` runs the wait for a free place, for a caller who does not count this time. */
  run<T>(send: () => Promise<T>, signal?: AbortSignal, whileWaiting?: WhileWaiting): Promise<T>;
}

/** Where requests begin and end. */
interface Gate {
  /** Whether one more request may begin now. If so, it has. */
  enter(): boolean;
  leave(): void;
  /** So many requests wait for another try. */
  wait(requests: number): void;
}

/** One limiter serves all trials of an adapter. */
export function createLimiter({
  max_concurrency = Number.POSITIVE_INFINITY,
  requests_per_minute,
  now = () => performance.now() / 1000,
  sleep = realSleep,
}: LimiterOptions): Limiter {
  if (max_concurrency === Number.POSITIVE_INFINITY && requests_per_minute === undefined) return UNLIMITED;

  const rate = requests_per_minute === undefined ? null : createWindow(requests_per_minute);
  let running = 0;
  let alarm: AbortController | null = null;

  function wakeAfter(seconds: number): void {
    if (alarm !== null) return;
    const mine = new AbortController();
    alarm = mine;
    const wake = () => {
      if (alarm !== mine) return;
      alarm = null;
      limiter.letIn();
    };
    sleep(seconds, mine.signal).then(wake, wake);
  }

  const limiter = createGatedLimiter({
    enter() {
      if (running >= max_concurrency || (rate?.secondsUntilFree(now()) ?? 0) > 0) return false;
      running++;
      rate?.record(now());
      return true;
    },
    leave() {
      running--;
    },
    wait(requests) {
      const seconds = running >= max_concurrency ? 0 : (rate?.secondsUntilFree(now()) ?? 0);
      if (requests > 0 && seconds > 0) wakeAfter(seconds);
      if (requests > 0) return;
      // No timer may keep the process alive.
      alarm?.abort();
      alarm = null;
    },
  });
  return limiter;
}

/** Lets requests through a gate in order of arrival. */
export function createGatedLimiter(gate: Gate) {
  /** A Set keeps the order of arrival, and any entry can be removed. */
  const queue = new Set<PromiseWithResolvers<void>>();

  /** Tries again for all that wait. */
  function letIn(): void {
    for (const waiting of queue) {
      if (!gate.enter()) break;
      queue.delete(waiting);
      waiting.resolve();
    }
    gate.wait(queue.size);
  }

  function turn(signal: AbortSignal | undefined): Promise<void> {
    const waiting = Promise.withResolvers<void>();
    function leave() {
      queue.delete(waiting);
      waiting.reject(stoppedWhileWaiting());
      letIn();
    }
    signal?.addEventListener('abort', leave, { once: true });
    queue.add(waiting);
    letIn();
    return waiting.promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  return {
    letIn,
    /** All that wait fail. */
    fail(error: unknown): void {
      const failed = [...queue];
      queue.clear();
      for (const waiting of failed) waiting.reject(error);
      gate.wait(0);
    },
    async run<T>(
      send: () => Promise<T>,
      signal?: AbortSignal,
      whileWaiting: WhileWaiting = (wait) => wait(),
    ): Promise<T> {
      if (signal?.aborted) throw stoppedWhileWaiting();
      await whileWaiting(() => turn(signal));
      try {
        return await send();
      } finally {
        gate.leave();
        letIn();
      }
    },
  };
}

export const UNLIMITED: Limiter = {
  run: (send, signal) => (signal?.aborted ? Promise.reject(stoppedWhileWaiting()) : send()),
};

/** Limits the starts in any window of a minute. For a fraction of a request per minute the window is longer. */
function createWindow(requestsPerMinute: number) {
  const size = Math.max(1, Math.floor(requestsPerMinute));
  const seconds = (60 * size) / requestsPerMinute;
  const starts: number[] = [];
  let oldest = 0;
  return {
    secondsUntilFree(now: number): number {
      const first = starts[oldest];
      return starts.length < size || first === undefined ? 0 : first + seconds - now;
    },
    record(now: number): void {
      if (starts.length < size) {
        starts.push(now);
      } else {
        starts[oldest] = now;
        oldest = (oldest + 1) % size;
      }
    },
  };
}

function stoppedWhileWaiting(): AdapterError {
  return new AdapterError('aborted', 'The run was stopped while a request waited for its turn.');
}

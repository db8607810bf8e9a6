import type { WhileWaiting } from '../adapter.ts';

export type Stopwatch = ReturnType<typeof startStopwatch>;

/** Measures how long a request takes, without the time that it waits in our own queues. */
export function startStopwatch(whileWaitingOutside: WhileWaiting | undefined) {
  const started = performance.now();
  let waitedMs = 0;
  const whileWaiting: WhileWaiting = async (wait) => {
    const since = performance.now();
    try {
      return await (whileWaitingOutside ? whileWaitingOutside(wait) : wait());
    } finally {
      waitedMs += performance.now() - since;
    }
  };
  return { workedSeconds: () => (performance.now() - started - waitedMs) / 1000, whileWaiting };
}

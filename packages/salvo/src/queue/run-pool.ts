/** Jobs that have left their place, but have not ended. Enough to be stored in few transactions, too few for memory to matter. */
const MOST_ENDING = 64;

/**
 * Performs jobs in order, up to `concurrency` at a time. A job is taken only when a place is free, so `jobs` can be a
 * generator of any length. After `stop` no further job is taken, and those under way are awaited.
 */
export async function runPool<Job>(options: {
  jobs: Iterable<Job> | AsyncIterable<Job>;
  concurrency: number;
  /** Calls `leave` when all that is left to do, such as to store what it gave, needs no place. */
  perform: (job: Job, leave: () => void) => Promise<void>;
  stop?: AbortSignal | undefined;
}): Promise<void> {
  const { concurrency, perform, stop } = options;
  const jobs =
    Symbol.asyncIterator in options.jobs ? options.jobs[Symbol.asyncIterator]() : options.jobs[Symbol.iterator]();
  const errors: unknown[] = [];
  let ending = 0;
  /** Settles when the next job has ended. One for all that wait: `Promise.race` would ask every job for each of them. */
  let oneEnded = Promise.withResolvers<void>();
  const work = async (): Promise<void> => {
    while (!stop?.aborted && errors.length === 0) {
      const next = await jobs.next();
      if (next.done) return;
      const { promise: left, resolve: leave } = Promise.withResolvers<void>();
      ending += 1;
      void perform(next.value, leave)
        .catch((error: unknown) => void errors.push(error))
        .then(() => {
          leave();
          ending -= 1;
          oneEnded.resolve();
          oneEnded = Promise.withResolvers();
        });
      await left;
      if (ending >= concurrency + MOST_ENDING) await oneEnded.promise;
    }
  };
  const workers = Array.from({ length: concurrency }, () => work().catch((error: unknown) => void errors.push(error)));
  await Promise.all(workers);
  while (ending > 0) await oneEnded.promise;
  if (errors.length > 0) throw errors[0];
}

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
  const ending = new Set<Promise<void>>();
  const errors: unknown[] = [];
  const work = async (): Promise<void> => {
    while (!stop?.aborted && errors.length === 0) {
      const next = await jobs.next();
      if (next.done) return;
      const { promise: left, resolve: leave } = Promise.withResolvers<void>();
      const ended = perform(next.value, leave)
        .catch((error: unknown) => void errors.push(error))
        .finally(() => {
          leave();
          ending.delete(ended);
        });
      ending.add(ended);
      await left;
      if (ending.size >= concurrency + MOST_ENDING) await Promise.race(ending);
    }
  };
  const workers = Array.from({ length: concurrency }, () => work().catch((error: unknown) => void errors.push(error)));
  await Promise.all(workers);
  await Promise.all(ending);
  if (errors.length > 0) throw errors[0];
}

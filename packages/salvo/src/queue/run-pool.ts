/**
 * Performs jobs in order, up to `concurrency` at a time. A job is taken only when a place is free, so `jobs` can be a
 * generator of any length. After `stop` no further job is taken, and those under way are awaited.
 */
export async function runPool<Job>(options: {
  jobs: Iterable<Job> | AsyncIterable<Job>;
  concurrency: number;
  perform: (job: Job) => Promise<void>;
  stop?: AbortSignal | undefined;
}): Promise<void> {
  const { concurrency, perform, stop } = options;
  const jobs =
    Symbol.asyncIterator in options.jobs ? options.jobs[Symbol.asyncIterator]() : options.jobs[Symbol.iterator]();
  let failed = false;
  const work = async (): Promise<void> => {
    while (!stop?.aborted && !failed) {
      try {
        const next = await jobs.next();
        if (next.done) return;
        await perform(next.value);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const workers = Array.from({ length: concurrency }, work);
  const outcomes = await Promise.allSettled(workers);
  const broken = outcomes.find((outcome) => outcome.status === 'rejected');
  if (broken) throw broken.reason;
}

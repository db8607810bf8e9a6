import { setTimeout } from 'node:timers/promises';

/** Null if the time is up. The timer also keeps Node running while nothing else does. */
export async function withLimit<T>(seconds: number, work: () => Promise<T>): Promise<T | null> {
  const over = new AbortController();
  const limit = setTimeout(seconds * 1000, null, { signal: over.signal });
  // It rejects when it is cancelled.
  limit.catch(() => {});
  try {
    return await Promise.race([work(), limit]);
  } finally {
    over.abort();
  }
}

import { setTimeout as delay } from 'node:timers/promises';

/** Waits so many seconds; rejects with the signal's reason when it is aborted first. */
export async function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(seconds * 1000, undefined, signal ? { signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

import { setTimeout as delay } from 'node:timers/promises';

/** Waits so many seconds. Rejects with the signal's reason as soon as it is aborted. */
export type Sleep = (seconds: number, signal?: AbortSignal) => Promise<void>;

export const sleep: Sleep = async (seconds, signal) => {
  try {
    await delay(seconds * 1000, undefined, signal ? { signal } : {});
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
};

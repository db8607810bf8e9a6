import { setTimeout as delay } from 'node:timers/promises';
import { AdapterError } from '../adapters/adapter-error.ts';

/** Waits so many seconds. Rejects at once with an `aborted` error when the signal fires. */
export type Sleep = (seconds: number, signal?: AbortSignal) => Promise<void>;

export const abortableSleep: Sleep = async (seconds, signal) => {
  try {
    await delay(seconds * 1000, undefined, { signal });
  } catch (cause) {
    throw new AdapterError('aborted', 'The run was stopped while a request waited for its turn.', { cause });
  }
};

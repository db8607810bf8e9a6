import { setTimeout as delay } from 'node:timers/promises';
import { AdapterError } from '../../adapters/adapter-error.ts';

/** When a request that failed is sent again. */
export interface RetryPolicy {
  /** How often a request is sent again after it failed the first time. */
  maxRetries: number;
  baseDelaySeconds: number;
  maxDelaySeconds: number;
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = { maxRetries: 4, baseDelaySeconds: 1, maxDelaySeconds: 60 };

/** A server may ask for this delay. If it asks for more, the request fails at once. */
const LONGEST_RETRY_AFTER_SECONDS = 60;

/** How long to wait before the retry that follows `attempt`. `random` is from 0 to 1. */
export function retryDelay(error: AdapterError, attempt: number, retry: RetryPolicy, random: () => number): number {
  const asked = error.retryAfterSeconds ?? 0;
  if (asked > 0) return asked;
  const ceiling = Math.min(retry.maxDelaySeconds, retry.baseDelaySeconds * 2 ** attempt);
  // Half of the delay is fixed, to give the server a pause; half is random, so that trials spread out.
  return (ceiling / 2) * (1 + random());
}

/** The error if the wait before a retry would be too long; null if it is not. */
export function whyNotWait(error: AdapterError, seconds: number, secondsLeft: number): AdapterError | null {
  const { kind, status, retryAfterSeconds, message } = error;
  const asked = `${message}${/[.!?]$/.test(message) ? '' : '.'} It asks to wait ${seconds.toFixed()} s before the next request`;
  if (retryAfterSeconds !== undefined && seconds > LONGEST_RETRY_AFTER_SECONDS) {
    const words = `${asked}; Salvo waits ${LONGEST_RETRY_AFTER_SECONDS} s at most.`;
    return new AdapterError(kind, words, { status, retryAfterSeconds, cause: error, asksForLongerWait: true });
  }
  if (seconds <= secondsLeft) return null;
  if (retryAfterSeconds === undefined) return error;
  return new AdapterError(kind, `${asked}; only ${secondsLeft.toFixed()} s are left.`, { status, cause: error });
}

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

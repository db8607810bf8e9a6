import { AdapterError } from '../adapter-error.ts';

/** The time limit of a call when the adapter's options set none. */
const DEFAULT_TIMEOUT_SECONDS = 120;

export interface CallDeadline {
  /** The called model or agent, as the start of a sentence: "The agent at http://...". */
  callee: string;
  /** 120 when undefined. */
  timeoutSeconds: number | undefined;
  /** The caller's own signal: its trial was cancelled. */
  signal: AbortSignal | undefined;
}

/** Node's longest timer. A longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs one call under its time limit and the caller's signal. Returns in time even if the call ignores its signal: an
 * agent that never answers must not keep the trial from ending.
 */
export async function withDeadline<T>(
  { callee, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, signal }: CallDeadline,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal?.aborted) throw abortedError(callee, signal);
  const controller = new AbortController();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = (error: AdapterError) => {
    reject(error);
    controller.abort(error);
  };
  const onAbort = () => end(abortedError(callee, signal));
  signal?.addEventListener('abort', onAbort, { once: true });
  const started = performance.now();
  const timeUp = () => end(timeoutError(callee, timeoutSeconds));
  const timer = setTimeout(timeUp, Math.min(timeoutSeconds * 1000, LONGEST_TIMER_MS));
  try {
    const result = await Promise.race([call(controller.signal), ended]);
    // The timer cannot fire while code in this process does not yield.
    if (performance.now() - started > timeoutSeconds * 1000) timeUp();
    controller.signal.throwIfAborted();
    return result;
  } catch (error) {
    // Once the signal has fired, an error of the call is only a consequence of being stopped.
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

export function abortedError(callee: string, signal: AbortSignal | undefined): AdapterError {
  return new AdapterError('aborted', `${callee} was stopped before it had answered.`, { cause: signal?.reason });
}

function timeoutError(callee: string, seconds: number): AdapterError {
  return new AdapterError(
    'timeout',
    `${callee} did not answer within ${seconds} s. Raise timeout_seconds of the adapter in salvo.yaml if it needs longer.`,
  );
}

import { AdapterError } from '../adapter-error.ts';
import { withWorkLimit } from './work-clock.ts';

/** The time limit of a call when the adapter's options set none. */
const DEFAULT_TIMEOUT_SECONDS = 120;

export interface CallDeadline {
  /** The called model or agent, as the start of a sentence: "The agent at http://...". */
  callee: string;
  /** 120 when undefined. */
  timeoutSeconds: number | undefined;
  /** The caller's own signal: its trial was cancelled. */
  signal: AbortSignal | undefined;
  /** What it has not done when the time is up; "answer" if it is missing. */
  missing?: (() => string) | undefined;
}

/**
 * Runs one call under its time limit and the caller's signal. Returns in time even if the call ignores its signal: an
 * agent that never answers must not keep the trial from ending.
 */
export function withDeadline<T>(
  { callee, timeoutSeconds: seconds = DEFAULT_TIMEOUT_SECONDS, signal: abort, missing }: CallDeadline,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeoutError = () =>
    new AdapterError(
      'timeout',
      `${callee} did not ${missing?.() ?? 'answer'} within ${seconds} s. Raise timeout_seconds of the adapter in salvo.yaml if it needs longer.`,
    );
  return withWorkLimit({ seconds, timeoutError, abort, abortError: () => abortedError(callee, abort) }, call);
}

export function abortedError(callee: string, signal: AbortSignal | undefined): AdapterError {
  return new AdapterError('aborted', `${callee} was stopped before it had answered.`, { cause: signal?.reason });
}

import type { CallDeadline } from './call-deadline.ts';

const DEFAULT_TIMEOUT_SECONDS = 120;
/** A timer of Node's that is set to more fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** For an SDK's own clock, which stops at the headers and must not ring before ours. */
export const SDK_TIMEOUT_MS: number = LONGEST_TIMER_MS;

/** How long a request to a provider may take, from the first byte to the last. */
export function sdkDeadline(deadline: CallDeadline): CallDeadline {
  const seconds = deadline.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
  return { ...deadline, timeoutSeconds: Math.min(seconds, LONGEST_TIMER_MS / 1000) };
}

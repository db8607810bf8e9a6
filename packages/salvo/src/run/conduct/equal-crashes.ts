import type { TrialResult } from '../../trial/trial-result.ts';

/** So many trials at the beginning that crash alike are a proof that all of them would. */
const EQUAL_CRASHES = 3;

/** Notices that an agent crashes in the same way in every trial. */
export function createCrashWatch() {
  let first: string | null = null;
  let equal = 0;
  let isOver = false;
  return {
    /** Counts a trial that has finished. Returns whether the first ones have all crashed alike. */
    add({ status, error_message }: Pick<TrialResult, 'status' | 'error_message'>): boolean {
      if (isOver) return equal >= EQUAL_CRASHES;
      const crash = status === 'crashed' ? kindOf(error_message ?? '') : null;
      first ??= crash;
      if (crash !== null && crash === first) equal += 1;
      isOver = crash === null || crash !== first || equal >= EQUAL_CRASHES;
      return equal >= EQUAL_CRASHES;
    },
  };
}

/** Numbers and ids in a message may differ from trial to trial. */
function kindOf(message: string): string {
  return message.replace(/\w+/g, (word) => (/\d/.test(word) ? '#' : word));
}

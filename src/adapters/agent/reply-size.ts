import { AdapterError } from '../adapter-error.ts';

/** Larger answers are rejected: they would be in memory several times. */
export const MAX_REPLY_BYTES = 50 * 1024 * 1024;

/** The error for an answer that is too large; `callee` is the start of a sentence. */
export function tooLargeError({ callee }: { callee: string }): AdapterError {
  return new AdapterError('bad_response', `${callee} answered with more than ${MAX_REPLY_BYTES / 1024 ** 2} MB.`);
}

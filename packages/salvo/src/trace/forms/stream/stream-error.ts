import { isRecord } from '../../../text/json/is-record.ts';

/** The stream itself says that the provider failed, or it ended before its last event. */
export class StreamError extends Error {
  readonly isBrokenOff: boolean;

  constructor(message: string, { isBrokenOff = false } = {}) {
    super(message);
    this.name = 'StreamError';
    this.isBrokenOff = isBrokenOff;
  }
}

export function brokeOff(missing: string): StreamError {
  return new StreamError(`the stream broke off: it ended without ${missing}`, { isBrokenOff: true });
}

/**
 * What a chunk says that the provider reports instead of an answer; undefined for other chunks. Mastra has it in
 * `payload`, the Responses API beside the type, and some have an error without a type.
 */
export function reportedError(chunk: unknown): string | undefined {
  if (!isRecord(chunk)) return undefined;
  const { type, payload } = chunk;
  if (type === 'error') return errorWords(isRecord(payload) ? payload : chunk);
  const isError = type === undefined && isRecord(chunk.error) && typeof chunk.error.message === 'string';
  return isError ? errorWords(chunk) : undefined;
}

/** The code or the type of an error, and its message. */
export function errorWords({ error, errorText, code, message }: Record<string, unknown>): string {
  const given = isRecord(error) ? error : { code, message: error ?? errorText ?? message };
  const words = [given.code ?? given.type, given.message].filter((word) => typeof word === 'string' && word !== '');
  return words.join(': ') || 'the provider reported an error';
}

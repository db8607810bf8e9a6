import { isRecord } from '../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../text/json/json-in-text.ts';
import { AdapterError, type AdapterErrorKind } from '../adapter-error.ts';

interface HttpFailure {
  status: number;
  /** What went wrong, in the server's words where it gave any. */
  message: string;
  headers?: Headers | Record<string, string | undefined> | undefined;
  cause?: unknown;
  /** Milliseconds since 1970, to interpret a Retry-After that is a date. */
  now?: number | undefined;
}

/** The error for an HTTP status: its kind, and when to try again. */
export function adapterErrorFromStatus(failure: HttpFailure): AdapterError {
  const { status, message, headers, cause, now = Date.now() } = failure;
  return new AdapterError(kindOfStatus(status), message, {
    status,
    retryAfterSeconds: headers === undefined ? undefined : retryAfterSeconds(headers, now),
    cause,
  });
}

const KINDS = new Map<number, AdapterErrorKind>([
  [401, 'auth'],
  [403, 'auth'],
  [404, 'not_found'],
  [408, 'timeout'],
  [409, 'rate_limit'],
  [429, 'rate_limit'],
  [529, 'overloaded'],
]);

function kindOfStatus(status: number): AdapterErrorKind {
  return KINDS.get(status) ?? (status >= 500 ? 'server' : status >= 400 ? 'bad_request' : 'bad_response');
}

/** Retry-After is a number of seconds or a date. OpenAI sends the more exact `retry-after-ms` as well. */
function retryAfterSeconds(headers: NonNullable<HttpFailure['headers']>, now: number): number | undefined {
  const milliseconds = decimal(header(headers, 'retry-after-ms'));
  if (milliseconds !== undefined) return milliseconds / 1000;
  const value = header(headers, 'retry-after');
  const seconds = decimal(value);
  if (value === undefined || seconds !== undefined) return seconds;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
}

function header(headers: NonNullable<HttpFailure['headers']>, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name);
  return key === undefined ? undefined : headers[key];
}

/** Digits only: `Number` also accepts '', '0x10' and 'Infinity'. */
function decimal(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,12}(\.\d{1,9})?\s*$/.test(text) ? Number(text) : undefined;
}

/** The words of a server in the body of an error: servers usually send `{error: {message}}`, `{error}`, `{message}` or `{detail}`. */
export function serverMessage(text: string): string {
  const body = jsonOrUndefined(text);
  if (!isRecord(body)) return text;
  const words = [isRecord(body.error) ? body.error.message : body.error, body.message, body.detail];
  return words.find((word) => typeof word === 'string') ?? text;
}

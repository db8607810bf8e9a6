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

function kindOfStatus(status: number): AdapterErrorKind {
  switch (status) {
    case 401:
    case 403:
      return 'auth';
    case 404:
      return 'not_found';
    case 408:
      return 'timeout';
    case 409:
    case 429:
      return 'rate_limit';
    case 529:
      return 'overloaded';
    default:
      if (status >= 500) return 'server';
      return status >= 400 ? 'bad_request' : 'bad_response';
  }
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

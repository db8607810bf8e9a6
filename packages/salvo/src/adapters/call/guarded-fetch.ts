import { errorCode, errorsWithin } from '../../text/errors/salvo-error.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import { AdapterError } from '../adapter-error.ts';

/** Larger answers are rejected: they would be in memory several times. */
export const MAX_ANSWER_BYTES = 50 * 1024 * 1024;

interface GuardedFetchOptions {
  /** Who is called, as the start of a sentence. */
  callee: string;
  /** The setting of the adapter that holds the address. */
  setting: 'url' | 'base_url';
}

/**
 * A `fetch` that sends a request to no other address than the given one, and reads no more than `MAX_ANSWER_BYTES` of
 * the answer, counted after decompression.
 */
export function createGuardedFetch({ callee, setting }: GuardedFetchOptions): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    // The error of `fetch` itself would quote the address with its password.
    if (url.username !== '' || url.password !== '') {
      const problem = `its ${setting} has a user name or a password in it`;
      const advice = `Put them into a header, such as Authorization: Basic \${NAME}.`;
      throw new AdapterError('bad_request', `${callee} is not called: ${problem}. ${advice}`);
    }
    // A redirect would take the prompt and the headers, keys included, to an address that was not configured.
    const response = await fetch(input, { ...init, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel();
      throw new AdapterError(
        'bad_response',
        `${callee} answered with status ${response.status}: a redirect to ${redirectTarget(location, url)}, which is not followed. Use that address as "${setting}" if you trust it.`,
        { status: response.status },
      );
    }
    return withLimitedBody(response, callee);
  };
}

export function tooLargeError(callee: string): AdapterError {
  return new AdapterError('bad_response', `${callee} answered with more than ${MAX_ANSWER_BYTES / 1024 ** 2} MB.`);
}

/** An error of a guarded fetch, which SDKs wrap in errors of their own. */
export function guardedFetchError(thrown: unknown): AdapterError | null {
  return errorsWithin(thrown).find((error) => error instanceof AdapterError) ?? null;
}

/** `fetch` has the reason of a failure in the cause of its error. */
export function fetchReason(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? error.cause : error;
}

/** Whether a body could not be decompressed. Node reports that like a broken connection, but a retry would not help. */
export function isBadCompression(thrown: unknown): boolean {
  return errorsWithin(thrown).some((error) => /^Z_|^ZSTD_|^ERR__ERROR_FORMAT/.test(errorCode(error) ?? ''));
}

/** Without the query and the user part, which may hold a key. */
function redirectTarget(location: string, from: URL): string {
  const target = URL.parse(location, from.href);
  if (target === null) return 'an address that is not a URL';
  return quoteOutput(target.host === '' ? `an address with ${target.protocol}` : `${target.origin}${target.pathname}`);
}

function withLimitedBody(response: Response, callee: string): Response {
  if (response.body === null || isSurelySmall(response.headers)) return response;
  let size = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > MAX_ANSWER_BYTES) throw tooLargeError(callee);
      controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
}

/** HTTP ends a body at its declared length. Only decompression can make it longer. */
function isSurelySmall(headers: Headers): boolean {
  const length = headers.get('content-length') ?? '';
  return /^\d{1,8}$/.test(length) && Number(length) <= MAX_ANSWER_BYTES && headers.get('content-encoding') === null;
}

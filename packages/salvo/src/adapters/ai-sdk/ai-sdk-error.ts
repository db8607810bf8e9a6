import { errorCode, errorMessage } from '../../text/errors/salvo-error.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import { AdapterError, type AdapterErrorKind } from '../adapter-error.ts';
import { isContentFiltered } from '../call/content-filter.ts';
import { guardedFetchError } from '../call/guarded-fetch.ts';
import { adapterErrorFromStatus } from '../call/http-status.ts';
import { isTooLong } from '../call/too-long.ts';

const KINDS_BY_NAME = new Map<string, AdapterErrorKind>([
  ['AI_LoadAPIKeyError', 'auth'],
  ['AI_LoadSettingError', 'auth'],
  ['AI_NoSuchModelError', 'not_found'],
  ['AI_UnsupportedFunctionalityError', 'bad_request'],
  ['AI_InvalidArgumentError', 'bad_request'],
  ['AI_InvalidPromptError', 'bad_request'],
]);

/** The adapter error for an error of the AI SDK, recognized by its fields: each version has its own error classes. */
export function adapterErrorFromAiSdk(
  error: unknown,
  { provider, model, redact }: { provider: string; model: string; redact: (text: string) => string },
): AdapterError {
  const own = guardedFetchError(error);
  if (own !== null) return own;
  const message = `${provider} (${model}): ${quoteOutput(redact(errorMessage(error)))}`;
  // When a body is cut off, the error has status 200.
  if (isCutOff(error)) return new AdapterError('connection', message, { cause: error });
  if (isRecord(error) && typeof error.statusCode === 'number') {
    const status = error.statusCode;
    const body = typeof error.responseBody === 'string' ? error.responseBody : '';
    if (isContentFiltered({ status, codes: codesIn(body), message })) {
      const blocked = `The content filter of ${provider} blocked the request or its answer (${status}): ${message}`;
      return new AdapterError('content_filter', blocked, { status, cause: error });
    }
    if (isTooLong({ status, codes: codesIn(body), message })) {
      const tooLong = `The request is too long for the model (${status}): ${message}`;
      return new AdapterError('context_length', tooLong, { status, cause: error });
    }
    const headers = stringValues(error.responseHeaders);
    return adapterErrorFromStatus({ status, message, headers, cause: error });
  }
  const kind = KINDS_BY_NAME.get(error instanceof Error ? error.name : '');
  if (kind !== undefined) return new AdapterError(kind, message, { cause: error });
  const isUnreached = isRecord(error) && error.name === 'AI_APICallError';
  return new AdapterError(isUnreached ? 'connection' : 'bad_response', message, { cause: error });
}

/** The codes in the body of an error, at whatever depth a provider puts them. */
function codesIn(body: string): string[] {
  return [...body.slice(0, 20_000).matchAll(/"(?:code|type)"\s*:\s*"(\w+)"/g)].map(([, code = '']) => code);
}

const NETWORK_CODE = /^(UND_ERR_|ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/;

function isCutOff(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 10; cause = cause.cause, depth++) {
    if (NETWORK_CODE.test(errorCode(cause) ?? '')) return true;
    if (cause instanceof TypeError && cause.message === 'terminated') return true;
  }
  return false;
}

function stringValues(headers: unknown): Record<string, string> {
  if (!isRecord(headers)) return {};
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

import { errorCode, errorMessage, errorsWithin } from '../../text/errors/salvo-error.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import { AdapterError, type AdapterErrorKind } from '../adapter-error.ts';
import { guardedFetchError } from '../call/guarded-fetch.ts';
import { adapterErrorFromStatus } from '../call/http-status.ts';
import { NETWORK_CODE } from '../call/outage-signs.ts';
import { refusalOf } from '../call/refused-request.ts';

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
    const failure = { status, message, cause: error, codes: codesIn(body), provider, model: 'the model' };
    const headers = stringValues(error.responseHeaders);
    return refusalOf(failure) ?? adapterErrorFromStatus({ status, message, headers, cause: error });
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

function isCutOff(thrown: unknown): boolean {
  return errorsWithin(thrown).some(
    (error) =>
      NETWORK_CODE.test(errorCode(error) ?? '') || (error instanceof TypeError && error.message === 'terminated'),
  );
}

function stringValues(headers: unknown): Record<string, string> {
  if (!isRecord(headers)) return {};
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

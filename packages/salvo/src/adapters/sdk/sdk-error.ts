import { quoteOutput } from '../../text/output/quote-output.ts';
import { AdapterError } from '../adapter-error.ts';
import { guardedFetchError, isBadCompression } from '../call/guarded-fetch.ts';
import { adapterErrorFromStatus } from '../call/http-status.ts';
import { refusalOf } from '../call/refused-request.ts';

interface SdkFailure {
  /** What the provider's SDK threw. */
  error: unknown;
  /** Whether an answer had begun to arrive: then it could not be read. Otherwise the request could not be sent. */
  isAnswered: boolean;
  provider: string;
  model: string;
  /** Typed questions were asked, which few servers know. */
  isDecision?: boolean | undefined;
  isEmbedding?: boolean | undefined;
  /** The environment variable the key came from. */
  keyVariable: string;
  /** What the request was authorized by. */
  credential: 'key' | 'header' | 'none';
  /** Takes out of a message what must not be in it: a server may echo the request, keys included. */
  redact: (text: string) => string;
}

/** Codes of a 429 for which waiting does not help. */
const OUT_OF_CREDIT: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
  'billing_not_active',
  'enforced_spend_limit_reached',
]);

/** The adapter error for an SDK's error. Both official SDKs throw the same shapes, so neither is imported here. */
export function adapterErrorFromSdk(failure: SdkFailure): AdapterError {
  const { error, provider } = failure;
  const own = guardedFetchError(error);
  if (own !== null) return withoutSecrets(own, failure);
  if (!(error instanceof Error))
    return new AdapterError('bad_response', `${provider} failed: ${clean(String(error), failure)}`);
  if ('status' in error && typeof error.status === 'number')
    return statusError({ ...failure, error, status: error.status });
  const reason = connectionReason(error);
  if (isBadCompression(error) || (failure.isAnswered && reason === null)) {
    const problem = clean(reason ?? error.message, failure);
    return new AdapterError('bad_response', `The answer of ${provider} could not be read: ${problem}`, {
      cause: error,
    });
  }
  if (reason !== null) {
    const message = `The connection to ${provider} failed: ${clean(reason, failure)}`;
    return new AdapterError('connection', message, { cause: error });
  }
  // Such as a key with a character that is not allowed in a header. The message may quote the key: do not keep the cause.
  return new AdapterError(
    'bad_request',
    `The request to ${provider} could not be sent: ${clean(error.message, failure)}`,
  );
}

function statusError(failure: SdkFailure & { error: Error; status: number }): AdapterError {
  const { error, status, provider } = failure;
  const message = clean(serverMessage(error), failure);
  const headers = 'headers' in error && error.headers instanceof Headers ? error.headers : undefined;
  if (status === 429 && errorCodes(error).some((code) => OUT_OF_CREDIT.has(code))) {
    const used = `${provider}: the account's quota is used up, trying again will not help (429): ${message}`;
    return new AdapterError('auth', used, { status });
  }
  const model = `the model "${failure.model}" of ${provider}`;
  const refusal = refusalOf({ status, codes: errorCodes(error), message, provider, model });
  return (
    refusal ?? adapterErrorFromStatus({ status, headers, message: `${whatHappened(failure)} (${status}): ${message}` })
  );
}

function whatHappened(failure: SdkFailure & { status: number }): string {
  const { status, provider, model, keyVariable, credential, isDecision, isEmbedding } = failure;
  if (status === 401 || status === 403) {
    if (credential === 'key') return `${provider} refused the key in ${keyVariable}`;
    if (credential === 'header') return `${provider} refused the header that is sent instead of a key`;
    return `${provider} wants a key, and none was sent: set ${keyVariable}`;
  }
  if ((status === 404 || status === 405) && isEmbedding) {
    return `${provider} has no embeddings of the model "${model}": output_similar needs an embedding model and a server that has /v1/embeddings`;
  }
  if ((status === 404 || status === 405) && isDecision) {
    return `${provider} does not decide with the model "${model}": "mode: decide" needs a decision model and a server that has /v1/decisions`;
  }
  if (status === 404) return `${provider} does not know the model "${model}", or the base_url is wrong`;
  if (status === 429) return `${provider} is limiting requests`;
  if (status === 529) return `${provider} is overloaded`;
  if (status >= 500) return `${provider} had an error of its own`;
  return `${provider} refused the request`;
}

/** OpenAI's SDK unwraps the body's `error`, Anthropic's keeps the whole body; other servers use `message` or `detail`. */
function serverMessage(error: Error): string {
  const body = field(error, 'error');
  const candidates = [field(field(body, 'error'), 'message'), field(body, 'message'), field(body, 'detail'), body];
  return candidates.filter((candidate) => typeof candidate === 'string').find((text) => text !== '') ?? error.message;
}

function errorCodes(error: Error): string[] {
  const body = field(error, 'error');
  const details = field(field(body, 'error'), 'details');
  const inner = field(body, 'innererror');
  return [field(body, 'code'), field(body, 'type'), field(inner, 'code'), field(details, 'error_code')].filter(
    (code) => typeof code === 'string',
  );
}

/** Null when the error did not come from the network. */
function connectionReason(error: Error): string | null {
  const cause = error.cause instanceof Error ? error.cause : undefined;
  const root = cause?.cause instanceof Error ? cause.cause : cause;
  if (root !== undefined) {
    // When a name has several addresses and all refuse, the error is an AggregateError with an empty message.
    return root.message || (root instanceof AggregateError && String(root.errors[0]?.message)) || root.name;
  }
  return /^Connection error|^terminated$|timed out/i.test(error.message) ? error.message : null;
}

function withoutSecrets(error: AdapterError, { redact }: SdkFailure): AdapterError {
  const message = redact(error.message);
  if (message === error.message) return error;
  const { kind, status, retryAfterSeconds } = error;
  return new AdapterError(kind, message, { status, retryAfterSeconds });
}

function clean(text: string, { redact }: SdkFailure): string {
  return quoteOutput(redact(text)).replace(/\s+/g, ' ');
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

import { errorCode, errorMessage } from '../../text/errors/salvo-error.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../text/json/json-in-text.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import { AdapterError } from '../adapter-error.ts';
import type { AdapterContext, AdapterFactory } from '../adapter-factory.ts';
import type { OptionsOf } from '../adapter-options-schema.ts';
import { namedApiKey } from '../call/api-key.ts';
import { withDeadline } from '../call/call-deadline.ts';
import { expandHeaders } from '../call/expand-headers.ts';
import { createGuardedFetch, isBadCompression } from '../call/guarded-fetch.ts';
import { adapterErrorFromStatus } from '../call/http-status.ts';
import { createMessageRedactor } from '../call/message-redactor.ts';
import { agentRequestJson, parseAgentJson } from './agent-json.ts';

/** An agent behind a URL. It receives the same JSON as a command does on stdin, and may give the same answers. */
export const createHttpAdapter: AdapterFactory<'http'> = (options, context) => {
  const url = new URL(options.url);
  const { timeout_seconds: timeoutSeconds, tools_seen: toolsSeen } = options;
  // Without the query and the user part: both may hold a key, and this goes into error messages.
  const callee = `The agent at ${url.origin}${url.pathname}`;
  const redact = createMessageRedactor(options, context.env);
  const guardedFetch = createGuardedFetch({ callee, setting: 'url' });
  return {
    providerName: () => 'http',
    async sendTurn(messages, tools, config) {
      const source = { callee, request: config.conversation?.request ?? 0, asked: messages, toolsSeen };
      const body = agentRequestJson(messages, tools, { ...config, form: options.messages_as });
      const headers = requestHeaders(options, context);
      for (const [name, value] of Object.entries(config.given?.headers ?? {})) headers.set(name, value);
      const request = { method: 'POST', headers, body };
      return withDeadline({ callee, timeoutSeconds, signal: config.signal }, async (signal) => {
        const response = await connected(callee, () => guardedFetch(url, { ...request, signal }));
        const text = await connected(callee, () => response.text());
        if (response.ok) return parseAgentJson(text, source);
        const { status } = response;
        const words = quoteOutput(redact(serverMessage(text)));
        const message = `${callee} answered with status ${status}${words === '' ? '.' : `: ${words}`}`;
        throw adapterErrorFromStatus({ status, headers: response.headers, message });
      });
    },
  };
};

function requestHeaders(options: OptionsOf<'http'>, { env }: AdapterContext): Headers {
  const result = new Headers({ 'content-type': 'application/json', accept: 'application/json' });
  const key = namedApiKey(options, env);
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
  for (const [name, value] of Object.entries({ ...authorization, ...expandHeaders(options.headers, env) })) {
    try {
      result.set(name, value);
    } catch {
      // The original error quotes the value, which may be a key, so it is not kept as the cause.
      throw new AdapterError('auth', `The header ${quoteOutput(name)} has a name or a value that HTTP does not allow.`);
    }
  }
  return result;
}

async function connected<T>(callee: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof AdapterError) throw error;
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code = errorCode(reason) ?? '';
    const why = quoteOutput(errorMessage(reason) || code);
    if (isBadCompression(error)) {
      throw new AdapterError('bad_response', `${callee} sent an answer that could not be read: ${why}`, {
        cause: error,
      });
    }
    // Node's fetch gives up by itself after five minutes of silence.
    const kind = code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT' ? 'timeout' : 'connection';
    throw new AdapterError(kind, `${callee} could not be reached, or broke off: ${why}`, { cause: error });
  }
}

/** Servers usually send `{error: {message}}`, `{error}`, `{message}` or `{detail}`. */
function serverMessage(text: string): string {
  const body = jsonOrUndefined(text);
  if (!isRecord(body)) return text;
  const words = [isRecord(body.error) ? body.error.message : body.error, body.message, body.detail];
  return words.find((word) => typeof word === 'string') ?? text;
}

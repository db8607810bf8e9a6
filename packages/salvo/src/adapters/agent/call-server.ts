import { errorCode, errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import { AdapterError } from '../adapter-error.ts';
import type { AdapterContext } from '../adapter-factory.ts';
import { namedApiKey } from '../call/api-key.ts';
import { expandHeaders } from '../call/expand-headers.ts';
import { createGuardedFetch, fetchReason, isBadCompression } from '../call/guarded-fetch.ts';
import { adapterErrorFromStatus, serverMessage } from '../call/http-status.ts';
import { createMessageRedactor } from '../call/message-redactor.ts';

interface ServerOptions {
  url: string;
  api_key_env?: string | undefined;
  headers?: Record<string, string> | undefined;
}

interface CallOptions {
  accept: string;
  signal: AbortSignal;
  /** Instead of that of the adapter. */
  url?: URL | undefined;
  headers?: Record<string, string> | undefined;
}

interface SendOptions extends CallOptions {
  /** Default: POST. */
  method?: 'POST' | 'PUT' | 'PATCH' | undefined;
}

export interface ServerCaller {
  /** The server, as the start of a sentence. */
  callee: string;
  url: URL;
  /** Sends JSON. A status other than 2xx is an error with the words of the server. */
  send(body: unknown, options: SendOptions): Promise<Response>;
  get(options: CallOptions): Promise<Response>;
  /** Reads from a response: a connection that breaks meanwhile is an error that says so. */
  read<T>(from: () => Promise<T>): Promise<T>;
}

/** Calls the server of an agent, with the key and the headers of its adapter. */
export function createServerCaller(options: ServerOptions, { env }: AdapterContext): ServerCaller {
  const url = new URL(options.url);
  // Without the query and the user part: both may hold a key, and this goes into error messages.
  const callee = `The agent at ${url.origin}${url.pathname}`;
  const redact = createMessageRedactor(options, env);
  const guardedFetch = createGuardedFetch({ callee, setting: 'url' });
  const call = async (to: URL, request: RequestInit): Promise<Response> => {
    const response = await connected(callee, () => guardedFetch(to, request));
    if (response.ok) return response;
    const text = await connected(callee, () => response.text());
    const { status, headers } = response;
    const words = quoteOutput(redact(serverMessage(text)));
    const message = `${callee} answered with status ${status}${words === '' ? '.' : `: ${words}`}`;
    throw adapterErrorFromStatus({ status, headers, message });
  };
  return {
    callee,
    url,
    send: (body, { accept, signal, method = 'POST', url: to = url, headers: more }) => {
      const headers = requestHeaders(options, env, { accept, 'content-type': 'application/json', ...more });
      return call(to, { method, headers, body: JSON.stringify(body), signal });
    },
    get: ({ accept, signal, url: to = url, headers: more }) =>
      call(to, { headers: requestHeaders(options, env, { accept, ...more }), signal }),
    read: (from) => connected(callee, from),
  };
}

function requestHeaders(options: ServerOptions, env: AdapterContext['env'], basic: Record<string, string>): Headers {
  const result = new Headers(basic);
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
    if (error instanceof SalvoError) throw error;
    const reason = fetchReason(error);
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

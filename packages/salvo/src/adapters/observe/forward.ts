import type { IncomingHttpHeaders } from 'node:http';
import { createGuardedFetch } from '../call/guarded-fetch.ts';

/** One request of an agent to its model, as it is sent on. */
interface ForwardedRequest {
  method: string;
  url: URL;
  headers: Headers;
  body: Buffer<ArrayBuffer> | null;
  signal: AbortSignal;
}

/** Sends one request to its real address, once, and returns the answer, whose body may be a stream. */
export type Forward = (request: ForwardedRequest) => Promise<Response>;

/** Follows no redirect, and reads no more of an answer than is allowed. */
export const forward: Forward = async ({ url, ...request }) => {
  const guardedFetch = createGuardedFetch({ callee: `The model at ${url.origin}${url.pathname}`, setting: 'base_url' });
  return guardedFetch(url, request);
};

/** Headers of one connection, and those that are ours. `fetch` decompresses answers itself. */
const NOT_SENT_ON: ReadonlySet<string> = new Set(
  'host connection keep-alive proxy-connection proxy-authorization te trailer transfer-encoding upgrade expect content-length accept-encoding x-salvo-trial'.split(
    ' ',
  ),
);
const NOT_PASSED_BACK: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'content-encoding', 'content-length', 'upgrade', 'trailer'],
]);

export function requestHeaders(given: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    if (NOT_SENT_ON.has(name) || value === undefined) continue;
    for (const each of [value].flat()) headers.append(name, each);
  }
  return headers;
}

export function answerHeaders(given: Headers): [string, string][] {
  return [...given].filter(([name]) => !NOT_PASSED_BACK.has(name));
}

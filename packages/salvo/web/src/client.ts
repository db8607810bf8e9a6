import { type ClientRequestOptions, hc } from 'hono/client';
import type { ViewerApi } from '../../src/server/viewer-app.ts';
import { embeddedAnswer, isHtmlFile } from './embedded-answers.ts';

/** An answer of the server that is not a result. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const API = '/api';

/** What Hono's client needs to ask the server, or the HTML file: `hc<Api>(...VIEWER)` for routes of the type `Api`. */
export const VIEWER: Parameters<typeof hc> = [
  API,
  {
    headers: { accept: 'application/json' },
    fetch: (address: RequestInfo | URL, init?: RequestInit) =>
      isHtmlFile ? answerInFile(String(address)) : answerOfServer(String(address), init),
  },
];

/** The routes of the server, with what they take and answer. */
export const api = hc<ViewerApi>(...VIEWER);

/** Server-sent events about what changes in the store. */
export const EVENTS = `${API}${api.events.$path()}`;

/** What a route answers with. */
export type Answering<Answer> = (options?: ClientRequestOptions) => Promise<{ json(): Promise<Answer> }>;

/** A request as the function of a query, which may be given up. */
export function asking<Answer>(request: Answering<Answer>): (query: { signal: AbortSignal }) => Promise<Answer> {
  return async ({ signal }) => (await request({ init: { signal } })).json();
}

async function answerOfServer(address: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(address, init);
  if (!response.ok) throw new ApiError(response.status, await errorMessage(response));
  return response;
}

/** The answer that an HTML file contains. */
async function answerInFile(address: string): Promise<Response> {
  const answer = await embeddedAnswer(address.slice(API.length));
  if (answer === undefined) throw new ApiError(404, 'This file does not contain it. `salvo view` shows everything.');
  return Response.json(answer);
}

async function errorMessage(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer === 'object' && answer !== null && 'error' in answer) return String(answer.error);
  } catch {
    // Not JSON: the text says what is wrong.
  }
  return text || `The server answered with status ${response.status}.`;
}

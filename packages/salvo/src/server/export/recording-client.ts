import { hc } from 'hono/client';
import type { ViewerApi } from '../viewer-app.ts';

/** The client of the page, so that a file has the answers under the very addresses that the page asks for. */
export type Ask = ReturnType<typeof hc<ViewerApi>>;

type AskPath = (path: string) => Promise<Response>;

/** Asks the API, and passes each answer on with its address. Throws if there is none. */
export function recording(api: ViewerApi, record: (path: string, answer: string) => Promise<void>): AskPath {
  return async (path) => {
    const response = await api.request(path);
    const answer = await response.text();
    if (!response.ok) throw new Error(`The viewer answered ${response.status} to ${path}: ${answer}`);
    await record(path, answer);
    return new Response(answer);
  };
}

export function recordingClient(ask: AskPath): Ask {
  return hc<ViewerApi>('', { fetch: (address: Parameters<typeof fetch>[0]) => ask(String(address)) });
}

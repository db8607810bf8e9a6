import { hc } from 'hono/client';
import type { ViewerApi } from '../viewer-app.ts';

/** The client of the page, so that a file has the answers under the very addresses that the page asks for. */
export type Ask = ReturnType<typeof hc<ViewerApi>>;

/** Asks the API, and passes each answer on with its address. Throws if there is none. */
export function recordingClient(api: ViewerApi, record: (path: string, answer: string) => Promise<void>): Ask {
  return hc<ViewerApi>('', {
    fetch: async (address: Parameters<typeof fetch>[0]) => {
      const path = String(address);
      const response = await api.request(path);
      const answer = await response.text();
      if (!response.ok) throw new Error(`The viewer answered ${response.status} to ${path}: ${answer}`);
      await record(path, answer);
      return new Response(answer);
    },
  });
}

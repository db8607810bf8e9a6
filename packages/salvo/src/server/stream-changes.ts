import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { changedRuns, type Seen, seenNow } from '../app/view/runs/changed-runs.ts';
import type { ViewedProject } from '../app/view/viewed-project.ts';

const PAUSE_MS = 400;
/** After this time, a page that lost the connection connects again. */
const RETRY_MS = 1000;
/** Proxies close connections on which nothing happens. */
const QUIET_PAUSES = 40;

/**
 * Server-sent events: one `change` after anything in the store changed, with the ids of the runs that did. The page asks
 * again for what it shows.
 */
export function streamChanges(context: Context, viewed: ViewedProject): Response {
  return streamSSE(context, async (stream) => {
    let seen: Seen = await seenNow(viewed);
    await stream.writeSSE({ event: 'hello', data: '', retry: RETRY_MS });
    for (let quiet = 0; !stream.aborted && !stream.closed; quiet += 1) {
      await stream.sleep(PAUSE_MS);
      const now = await seenNow(viewed, seen);
      if (now.version !== seen.version) {
        await stream.writeSSE({ event: 'change', data: JSON.stringify(changedRuns(seen, now)) });
        seen = now;
        quiet = 0;
      } else if (quiet % QUIET_PAUSES === QUIET_PAUSES - 1) {
        await stream.writeSSE({ event: 'hello', data: '' });
      }
    }
  });
}

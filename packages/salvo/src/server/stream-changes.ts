import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { ViewedProject } from '../app/view/viewed-project.ts';
import type { RunRevision } from '../store/store.ts';

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

/** The state of a store, as far as changes of it are noticed. */
interface Seen {
  version: string;
  runs: ReadonlyMap<string, RunRevision>;
}

/** The same as `last` if nothing changed since. */
async function seenNow(viewed: ViewedProject, last?: Seen): Promise<Seen> {
  const store = await viewed.store();
  if (store === null) return { version: 'nothing', runs: new Map() };
  const version = await store.version();
  if (version === last?.version) return last;
  const revisions = await store.runRevisions();
  return { version, runs: new Map(revisions.map((run) => [run.run_id, run])) };
}

/** The runs whose trials may have changed. */
function changedRuns(before: Seen, now: Seen): string[] {
  return [...now.runs.values()]
    .filter(({ run_id, revision, status }) => status === 'running' || before.runs.get(run_id)?.revision !== revision)
    .map(({ run_id }) => run_id);
}

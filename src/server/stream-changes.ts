import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { ViewedProject } from '../app/view/viewed-project.ts';

const PAUSE_MS = 400;
/** Proxies close connections on which nothing happens. */
const QUIET_PAUSES = 40;

/** Server-sent events: one `change` after anything in the store changed. The page asks again for what it shows. */
export function streamChanges(context: Context, viewed: ViewedProject): Response {
  return streamSSE(context, async (stream) => {
    let version = await storeVersion(viewed);
    await stream.writeSSE({ event: 'hello', data: '' });
    for (let quiet = 0; !stream.aborted && !stream.closed; quiet += 1) {
      await stream.sleep(PAUSE_MS);
      const now = await storeVersion(viewed);
      if (now !== version) {
        version = now;
        quiet = 0;
        await stream.writeSSE({ event: 'change', data: '' });
      } else if (quiet % QUIET_PAUSES === QUIET_PAUSES - 1) {
        await stream.writeSSE({ event: 'hello', data: '' });
      }
    }
  });
}

async function storeVersion(viewed: ViewedProject): Promise<string> {
  const store = await viewed.store();
  return store === null ? 'nothing' : store.version();
}

import { setTimeout } from 'node:timers/promises';
import type { WorkOrder } from '../../queue/work-queue.ts';
import { labelsOfOrder } from './order-settings.ts';
import { startWorkerProcess } from './worker-process.ts';
import type { WorkerUse } from './worker-use.ts';

export interface LocalWorkers extends AsyncDisposable {
  /** How many were started, and how many of them will take jobs, or do already. */
  started: number;
  alive(): number;
}

const RESTART_MS = 1000;
/** The exit code of a worker whose settings are wrong. */
const WRONG_INPUT = 4;

/**
 * Starts workers on this machine for one run or experiment, and starts one again that was killed. Disposing of them ends
 * them.
 */
export function startLocalWorkers(
  { local = 0, command = [] }: WorkerUse,
  place: {
    order: WorkOrder;
    concurrency: number;
    cwd: string;
    env: Record<string, string | undefined>;
  },
): LocalWorkers {
  const { order, concurrency, cwd, env } = place;
  const labels = [...new Set(labelsOfOrder(order).flat())];
  const leaving = new AbortController();
  let alive = local;
  async function keepOne(): Promise<void> {
    while (!leaving.signal.aborted) {
      const { stop, ended } = startWorkerProcess({
        command,
        run: order.work.id,
        // The code is the user's own.
        worker: { labels, concurrency, allowed_code: 'all' },
        cwd,
        env,
        quiet: true,
      });
      leaving.signal.addEventListener('abort', stop);
      const { code, refusal } = await ended;
      leaving.signal.removeEventListener('abort', stop);
      // It has said why it can't work.
      if (refusal !== null || code === WRONG_INPUT) break;
      // An agent may have ended its process: the other trials still need a worker.
      await setTimeout(RESTART_MS, undefined, { signal: leaving.signal }).catch(() => {});
    }
    alive -= 1;
  }
  const workers = Array.from({ length: local }, keepOne);
  return {
    started: local,
    alive: () => alive,
    async [Symbol.asyncDispose]() {
      leaving.abort();
      await Promise.all(workers);
    },
  };
}

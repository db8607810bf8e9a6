import { setTimeout } from 'node:timers/promises';
import type { WorkerUse } from 'salvo/kit/app';
import type { WorkOrder } from 'salvo/kit/queue';
import { labelsOfOrder } from './order-settings.ts';
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts';

export type LocalWorkers = ReturnType<typeof startLocalWorkers>;

/** After a crash, so that one that crashes at once is not started again and again without a pause. */
const RESTART_MS = 1000;

/** Starts workers on this machine for one run or experiment. Disposing of them ends them. */
export function startLocalWorkers(
  { local = 0, command = [] }: WorkerUse,
  place: {
    order: WorkOrder;
    concurrency: number;
    cwd: string;
    env: Record<string, string | undefined>;
  },
) {
  const { order, concurrency, cwd, env } = place;
  const labels = [...new Set(labelsOfOrder(order).flat())];
  const processes = new Set<WorkerProcess>();
  const over = new AbortController();
  let alive = local;

  async function keepOne(): Promise<void> {
    for (;;) {
      const worker = startWorkerProcess({
        command,
        run: order.work.id,
        // The code and the variables are the user's own.
        worker: { labels, concurrency, allowed_code: 'all' },
        granted: 'all',
        cwd,
        env,
        quiet: true,
      });
      processes.add(worker);
      const { code, refusal } = await worker.ended;
      processes.delete(worker);
      if (refusal !== null || code === 0 || code === 4) break;
      await setTimeout(RESTART_MS, undefined, { signal: over.signal }).catch(() => {});
      if (over.signal.aborted) break;
    }
    alive -= 1;
  }

  const kept = Array.from({ length: local }, keepOne);
  return {
    /** How many were started, and how many of them will take jobs, or do already. */
    started: local,
    alive: () => alive,
    async [Symbol.asyncDispose]() {
      over.abort();
      for (const { stop } of processes) stop();
      await Promise.all(kept);
    },
  };
}

import type { WorkOrder } from '../../queue/work-queue.ts';
import { labelsOfOrder } from './order-settings.ts';
import { startWorkerProcess } from './worker-process.ts';
import type { WorkerUse } from './worker-use.ts';

export interface LocalWorkers extends AsyncDisposable {
  /** Whether some have not ended, so that they will join if they have not yet. */
  areStarting(): boolean;
}

/** Starts workers on this machine for one run or experiment. Disposing of them ends them. */
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
  const workers = Array.from({ length: local }, () =>
    startWorkerProcess({
      command,
      run: order.work.id,
      // The code is the user's own.
      worker: { labels, concurrency, allowed_code: 'all' },
      cwd,
      env,
      quiet: true,
    }),
  );
  let alive = workers.length;
  for (const { ended } of workers) void ended.then(() => (alive -= 1));
  return {
    areStarting: () => alive > 0,
    async [Symbol.asyncDispose]() {
      for (const { stop } of workers) stop();
      await Promise.all(workers.map(({ ended }) => ended));
    },
  };
}

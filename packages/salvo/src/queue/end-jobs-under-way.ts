import { setTimeout as sleep } from 'node:timers/promises';
import { type CoordinatorSignals, STOP_REACHES_ALL_MS } from './follow-order.ts';
import type { WorkOrder, WorkQueue } from './work-queue.ts';

const LOOK_MS = 200;

/**
 * Lets the workers of a coordinator that is gone end and store what they have under way, and take nothing more, so that none
 * of it is paid for twice and nothing is stored behind the back of the next coordinator. A worker that is gone, too, loses its
 * jobs after the time of a lease. `abort` gives up what is under way. Returns whether an attempt was lost.
 */
export async function endJobsUnderWay(
  queue: Pick<WorkQueue, 'coordinate'>,
  order: WorkOrder,
  { signals, onWaiting }: { signals: Pick<CoordinatorSignals, 'lost' | 'abort'>; onWaiting: (reason: string) => void },
): Promise<boolean> {
  const { lost, abort } = signals;
  await using coordinated = await queue.coordinate(order);
  await coordinated.direct({ stops: 1 });
  const began = performance.now();
  let told = 1;
  let isSaid = false;
  let isLost = false;
  for (;;) {
    lost.throwIfAborted();
    if (abort.aborted && told < 2) {
      await coordinated.direct({ stops: 2 });
      told = 2;
    }
    const hasReachedAll = performance.now() - began > STOP_REACHES_ALL_MS;
    const { active, again, failed, notices } = await coordinated.progress();
    isLost ||= failed.length > 0 || notices.some(({ type }) => type === 'repeated');
    if (active === 0 && hasReachedAll) return isLost || again > 0;
    if (active > 0 && !isSaid) {
      isSaid = true;
      const what = active === 1 ? '1 job is' : `${active} jobs are`;
      onWaiting(`${what} still under way at workers. Waiting for that, so that nothing is paid for twice.`);
    }
    await sleep(LOOK_MS);
  }
}

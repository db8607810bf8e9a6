import type { WorkEvent } from './conduct.ts';
import { type CoordinatorSignals, followOrder } from './follow-order.ts';
import type { WorkOrder, WorkQueue } from './work-queue.ts';

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
  let isSaid = false;
  let isLost = false;
  const noteLoss = (): void => {
    isLost = true;
  };
  const work = {
    ...{ jobs: () => [], readResults: async () => {}, whyNoWorker: async () => null, workers: async () => [] },
    onAgain: noteLoss,
    onFailed: async () => noteLoss(),
    onNotice: ({ type }: { type: string }) => (type === 'repeated' ? noteLoss() : undefined),
    onEvent(event: WorkEvent) {
      if (event.type !== 'under_way' || event.jobs === 0 || isSaid) return;
      isSaid = true;
      const what = event.jobs === 1 ? '1 job is' : `${event.jobs} jobs are`;
      onWaiting(`${what} still under way at workers. Waiting for that, so that nothing is paid for twice.`);
    },
  };
  await followOrder(await queue.coordinate(order), work, { ...signals, stop: AbortSignal.abort() });
  return isLost;
}

import { followOrder, type LeadSignals, type LedWork } from './follow-order.ts';
import type { NoticedOutages } from './noticed-outages.ts';
import { createRefusals } from './refusals.ts';
import type { Coordinator, WorkerDescription } from './work-queue.ts';

/** What the reader of the lead hears of the workers, whatever they do. */
export type WorkersEvent =
  /** How many jobs workers have under way. */
  | { type: 'under_way'; jobs: number }
  /** Jobs wait because no worker can take them: why, and what to do. */
  | { type: 'no_worker'; reason: string };

/** How the lead of a piece of work reaches its workers. */
export interface Lead {
  /** Opens the order, once the work is claimed and stored, with what it has cost before. */
  openOrder(earlier: { spentUsd: number; highest?: ReadonlyMap<number, number> | undefined }): Promise<Coordinator>;
  /** Whether it goes on with the jobs of a lead that is gone. */
  isTakenOver: boolean;
  /** Whether a worker of the earlier lead was lost with something under way. */
  wasAttemptLost(): boolean;
  /** Where the changes of its results had got to when it was claimed, before what is stored was read. */
  claimedAt(): string;
  /** Why nobody can take the jobs that wait, and what to do; null if somebody can. */
  whyNoWorker(): Promise<string | null>;
  /** Workers that are there and can take its jobs. */
  fittingWorkers(): Promise<readonly WorkerDescription[]>;
  /** The ids of all workers that are there. */
  workersNow(): Promise<ReadonlySet<string>>;
  /** Aborted: this process leaves the work to the workers. Rejects with a `LeftToWorkers`. */
  leave?: AbortSignal | undefined;
}

interface FollowedWork extends Pick<LedWork, 'jobs' | 'readResults' | 'pointless' | 'onFailed' | 'onAgain'> {
  outages: NoticedOutages;
  onEvent(event: WorkersEvent): void;
}

/** Follows an order as `followOrder` does, and hears what its workers say about budget, models and themselves. */
export async function followWorkers(
  led: Coordinator,
  { lead, work, signals }: { lead: Lead; work: FollowedWork; signals: Omit<LeadSignals, 'leave'> },
): Promise<{ budgetRefusal: string | null; warnings: string[] }> {
  const refusals = createRefusals(() => lead.fittingWorkers());
  const warnings: string[] = [];
  let budgetRefusal: string | null = null;
  const onNoWorker = (reason: string): void => work.onEvent({ type: 'no_worker', reason });
  await followOrder(
    led,
    {
      ...work,
      async readResults() {
        await work.readResults();
        for (const reason of await work.outages.decide(() => lead.fittingWorkers())) onNoWorker(reason);
      },
      onNotice(notice) {
        if (notice.type === 'budget') budgetRefusal ??= notice.message;
        else if (notice.type === 'warning') warnings.push(notice.message);
        else work.outages.add(notice);
        if (notice.type === 'refusal') refusals.add(notice);
      },
      onActive: (jobs) => work.onEvent({ type: 'under_way', jobs }),
      async whyNoWorker() {
        for (const reason of await refusals.reasons()) onNoWorker(reason);
        return await lead.whyNoWorker();
      },
      onNoWorker,
      workersNow: () => lead.workersNow(),
    },
    { ...signals, leave: lead.leave },
  );
  return { budgetRefusal, warnings };
}

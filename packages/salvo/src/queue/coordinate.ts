import { openResources } from '../text/open-resources.ts';
import type { Performed, WorkSignals } from './conduct.ts';
import { type CoordinatedJobs, followOrder } from './follow-order.ts';
import { createNoticedOutages, type NoticedOutages } from './noticed-outages.ts';
import { createRefusals } from './refusals.ts';
import type { CoordinatedOrder, WorkerDescription } from './work-queue.ts';

/** How the coordinator of a piece of work reaches its workers. */
export interface Coordinator {
  /** Opens the order, once the work is claimed and stored, with what it has cost before. */
  openOrder(earlier: EarlierCost): Promise<CoordinatedOrder>;
  /** Whether it goes on with the jobs of a coordinator that is gone. */
  isTakenOver: boolean;
  /** Whether a worker of the earlier coordinator was lost with something under way. */
  wasAttemptLost(): boolean;
  /** Where the changes of its results had got to when it was claimed, before what is stored was read. */
  claimedAt(): string;
  /** Why nobody can take the jobs that wait, and what to do; null if somebody can. */
  whyNoWorker(): Promise<string | null>;
  /** All workers that are there. */
  workers(): Promise<WorkerDescription[]>;
  /** Those that can take its jobs. */
  fitting(workers: readonly WorkerDescription[]): WorkerDescription[];
  /** Aborted: this process leaves the work to the workers. Rejects with a `LeftToWorkers`. */
  leave?: AbortSignal | undefined;
}

interface EarlierCost {
  spentUsd: number;
  /** What the most expensive unit cost, by a number for each kind of units. */
  highest?: ReadonlyMap<number, number> | undefined;
}

/** A page of what changed since a cursor. The last page is empty. */
export interface ChangedResults<Result> {
  results: readonly Result[];
  cursor: string;
}

/** What workers do, and how that is counted. */
export interface CoordinatedWork<Result, Done>
  extends Pick<CoordinatedJobs, 'jobs' | 'pointless' | 'onFailed' | 'onAgain' | 'onEvent'> {
  /** Missing if its jobs ask no model. */
  outages?: NoticedOutages | undefined;
  /** Missing if its jobs cost nothing. */
  earlier?: EarlierCost | undefined;
  changed(cursor: string): Promise<ChangedResults<Result>>;
  /** Called with everything that changed, so perhaps twice with the same result. */
  count(result: Result): void;
  /** Called when no job is left: counts what is stored. */
  ended(said: { budgetRefusal: string | null; warnings: string[] }): Promise<Done>;
}

/** Adds the missing units as jobs, and counts their results until none is left. */
export async function coordinate<Result, Done extends Performed>(
  coordinator: Coordinator,
  work: CoordinatedWork<Result, Done>,
  signals: WorkSignals,
): Promise<Done> {
  await using opened = openResources();
  const coordinated = opened.use(await coordinator.openOrder(work.earlier ?? { spentUsd: 0 }));
  const fittingWorkers = async () => coordinator.fitting(await coordinator.workers());
  const refusals = createRefusals(fittingWorkers);
  const outages = work.outages ?? createNoticedOutages();
  const warnings: string[] = [];
  let budgetRefusal: string | null = null;
  const readChanges = changesReader(coordinator.claimedAt(), work);
  const onNoWorker = (reason: string): void => work.onEvent({ type: 'no_worker', reason });
  await followOrder(
    coordinated,
    {
      ...work,
      async readResults() {
        await readChanges();
        for (const reason of await outages.decide(fittingWorkers)) onNoWorker(reason);
      },
      onNotice(notice) {
        if (notice.type === 'budget') budgetRefusal ??= notice.message;
        else if (notice.type === 'warning') warnings.push(notice.message);
        // Between two looks, a job may be lost, taken again and ended.
        else if (notice.type === 'repeated') work.onAgain?.();
        else outages.add(notice);
        if (notice.type === 'refusal') refusals.add(notice);
      },
      async whyNoWorker() {
        for (const reason of await refusals.reasons()) onNoWorker(reason);
        return await coordinator.whyNoWorker();
      },
      workers: () => coordinator.workers(),
    },
    { ...signals, leave: coordinator.leave },
  );
  const done = await work.ended({ budgetRefusal, warnings });
  opened.release();
  return { ...done, order: coordinated };
}

/** Counts what has changed since it was last called. */
export function changesReader<Result>(
  start: string,
  { changed, count }: Pick<CoordinatedWork<Result, unknown>, 'changed' | 'count'>,
): () => Promise<void> {
  let cursor = start;
  return async () => {
    for (;;) {
      const page = await changed(cursor);
      cursor = page.cursor;
      for (const result of page.results) count(result);
      if (page.results.length === 0) return;
    }
  };
}

import type { Notice, TakenJob, WorkerSeat } from '../../queue/work-queue.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import { errorMessage, SalvoError } from '../../text/salvo-error.ts';

/** A run or an experiment that a worker has open. */
export interface Desk extends AsyncDisposable {
  /** Performs one job and ends it, gives it back, or says that it failed. Never rejects. */
  perform(job: TakenJob): Promise<void>;
  /** How often the lead asked to stop. */
  direct(stops: 0 | 1 | 2): void;
}

export interface DeskSignals {
  /** Aborted: no further job begins. */
  stop: AbortSignal;
  /** Aborted: jobs under way are given up. */
  abort: AbortSignal;
}

/** What is the same for every job, whatever it does. `open` is called with the signals of the desk. */
export async function createDesk(
  worker: DeskSignals,
  open: (signals: DeskSignals) => Promise<
    AsyncDisposable & {
      /** Returns false if there is no result, and another attempt would give none. */
      perform(job: TakenJob): Promise<boolean>;
      redactor: Redactor;
    }
  >,
): Promise<Desk> {
  const stopped = new AbortController();
  const aborted = new AbortController();
  const opened = await open({
    stop: AbortSignal.any([worker.stop, stopped.signal]),
    abort: AbortSignal.any([worker.abort, aborted.signal]),
  });
  return {
    async perform(job) {
      try {
        const isDone = await opened.perform(job);
        // What this worker did not begin because it leaves is for somebody else.
        if (!isDone && worker.stop.aborted && !stopped.signal.aborted) await job.giveBack();
        else await job.done();
      } catch (error) {
        if (error instanceof SalvoError && error.code === 'JOB_LOST') return;
        await job.failed(opened.redactor.text(errorMessage(error))).catch(() => {});
      }
    },
    direct(stops) {
      if (stops >= 1) stopped.abort();
      if (stops >= 2) aborted.abort();
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

/** Tells the lead each thing once. Texts of providers may quote keys. */
export function createNotifier(
  seat: Pick<WorkerSeat, 'notify'>,
  work: Parameters<WorkerSeat['notify']>[0],
  redactor: Redactor,
): (notice: Notice) => Promise<void> {
  const told = new Set<string>();
  return async (given) => {
    const notice = { ...given, message: redactor.text(given.message) };
    const key = JSON.stringify(notice);
    if (told.has(key)) return;
    told.add(key);
    await seat.notify(work, notice);
  };
}

import type { Directions, Notice, Opening, TakenJob, WorkerSeat } from '../../queue/work-queue.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';

/** A run or an experiment that a worker has open. */
export interface Desk extends AsyncDisposable {
  /** Performs one job and ends it, gives it back, or says that it failed. Never rejects. */
  perform(job: TakenJob): Promise<void>;
  /** What the lead said last. */
  direct(directions: Directions): void;
  /** It takes no job until the lead says more: a model that it needs cannot be reached from here. */
  isWaiting(): boolean;
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
      /** `nothing`: there is no result, and another attempt would give none. `elsewhere`: another worker may do it. */
      perform(job: TakenJob): Promise<'done' | 'nothing' | 'elsewhere'>;
      waitsForLead?(pointless: ReadonlySet<string>): boolean;
      redactor: Redactor;
    }
  >,
): Promise<Desk> {
  const stopped = new AbortController();
  const aborted = new AbortController();
  let pointless: ReadonlySet<string> = new Set();
  const opened = await open({
    stop: AbortSignal.any([worker.stop, stopped.signal]),
    abort: AbortSignal.any([worker.abort, aborted.signal]),
  });
  return {
    async perform(job) {
      try {
        const outcome = await opened.perform(job);
        // What this worker did not begin because it leaves is for somebody else.
        const isLeft = outcome === 'nothing' && worker.stop.aborted && !stopped.signal.aborted;
        if (isLeft || outcome === 'elsewhere') await job.giveBack();
        else await job.done();
      } catch (error) {
        if (error instanceof SalvoError && error.code === 'JOB_LOST') return;
        await job.failed(opened.redactor.text(errorMessage(error))).catch(() => {});
      }
    },
    direct({ stops, pointless: groups }) {
      if (stops >= 1) stopped.abort();
      if (stops >= 2) aborted.abort();
      if (groups.length !== pointless.size) pointless = new Set(groups);
    },
    isWaiting: () => opened.waitsForLead?.(pointless) ?? false,
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

/** Tells the lead each thing once. Texts of providers may quote keys. */
export function createNotifier(
  seat: Pick<WorkerSeat, 'notify'>,
  opening: Opening,
  redactor: Redactor,
  /** Called with each thing once, too. */
  onNotice: (notice: Notice) => void = () => {},
): (notice: Notice) => Promise<void> {
  const told = new Set<string>();
  return async (given) => {
    const notice = { ...given, message: redactor.text(given.message) };
    const key = JSON.stringify(notice);
    if (told.has(key)) return;
    told.add(key);
    onNotice(notice);
    await seat.notify(opening, notice);
  };
}

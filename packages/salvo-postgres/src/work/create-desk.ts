import type { Directions, Notice, Opening, TakenJob, WorkerDescription, WorkerSession } from 'salvo/kit/queue';
import type { Redactor } from 'salvo/kit/secrets';
import { errorCode, errorMessage } from 'salvo/kit/text';
import type { WorkDesk } from 'salvo/kit/work';

/** A run or an experiment that a worker has open. */
export interface Desk extends AsyncDisposable {
  /** Performs one job and ends it, gives it back, or says that it failed. Never rejects. True: it has a result now. */
  perform(job: TakenJob): Promise<boolean>;
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

/** What the lead has said by now. */
interface DeskDirections extends DeskSignals {
  isPointless(group: string): boolean;
}

/** What is the same for every job, whatever it does. */
export async function createDesk(
  worker: DeskSignals,
  redactor: Redactor,
  open: (directions: DeskDirections) => Promise<AsyncDisposable & Pick<WorkDesk, 'perform' | 'waitsForLead'>>,
): Promise<Desk> {
  const stopped = new AbortController();
  const aborted = new AbortController();
  let pointless: ReadonlySet<string> = new Set();
  const opened = await open({
    stop: AbortSignal.any([worker.stop, stopped.signal]),
    abort: AbortSignal.any([worker.abort, aborted.signal]),
    isPointless: (group) => pointless.has(group),
  });
  return {
    async perform(job) {
      try {
        const outcome = await opened.perform(job);
        // What this worker did not begin because it leaves is for somebody else.
        const isLeft = outcome === 'nothing' && worker.stop.aborted && !stopped.signal.aborted;
        if (isLeft || outcome === 'elsewhere') await job.giveBack();
        else await job.done();
        return outcome === 'done';
      } catch (error) {
        if (errorCode(error) !== 'JOB_LOST') await job.failed(redactor.text(errorMessage(error))).catch(() => {});
        return false;
      }
    },
    direct({ stops, pointless: groups }) {
      if (stops >= 1) stopped.abort();
      if (stops >= 2) aborted.abort();
      if (groups.length !== pointless.size) pointless = new Set(groups);
    },
    isWaiting: () => opened.waitsForLead(),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

type WorkerIdentity = Pick<WorkerDescription, 'worker_id' | 'host' | 'pid'>;

/** Tells the lead each thing once. Texts of providers may quote keys. */
export function createNotifier(
  place: { session: Pick<WorkerSession, 'notify'>; opening: Opening; onPaused: (reason: string) => void },
  redactor: Redactor,
): (notice: Notice) => Promise<void> {
  const told = new Set<string>();
  return async (given) => {
    const notice = { ...given, message: redactor.text(given.message) };
    const key = JSON.stringify(notice);
    if (told.has(key)) return;
    told.add(key);
    if (notice.type === 'outage') place.onPaused(notice.message);
    await place.session.notify(place.opening, notice);
  };
}

export function joinedNotice({ worker_id: worker, host, pid }: WorkerIdentity, tearsDown: boolean): Notice {
  return {
    type: 'joined',
    worker,
    tears_down: tearsDown,
    message: `The worker on ${host} (process ${pid}) takes part.`,
  };
}

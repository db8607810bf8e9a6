import type { Directions, Notice, Opening, TakenJob, WorkerSession } from 'salvo/kit/queue';
import type { Redactor } from 'salvo/kit/secrets';
import { errorCode, errorMessage } from 'salvo/kit/text';
import type { PerformerRequest, WorkPerformer, WorkTypes } from 'salvo/kit/work';

/** Performs jobs of one order, whatever its kind. */
export type JobPerformer = Awaited<ReturnType<typeof createJobPerformer>>;

export type WorkerSignals = Pick<PerformerRequest<WorkTypes>, 'stop' | 'abort'>;

/** What the coordinator has said by now. */
type HeardDirections = Pick<PerformerRequest<WorkTypes>, 'stop' | 'abort' | 'isPointless'>;

/** Opens the performer of a kind of work, and adds what is the same for every kind. */
export async function createJobPerformer(
  {
    signals,
    notify,
    redactor,
    worker,
  }: {
    signals: WorkerSignals;
    notify: Notify;
    redactor: Redactor;
    /** Its id. */
    worker: string;
  },
  open: (directions: HeardDirections) => Promise<Omit<WorkPerformer, 'tearsDown'>>,
) {
  const stopped = new AbortController();
  const aborted = new AbortController();
  let pointless: ReadonlySet<string> = new Set();
  /** Nobody would end the wait of a worker that could not tell the coordinator why it waits. */
  let isTold = false;
  const tell = async (): Promise<void> => {
    isTold = false;
    await tellCoordinator(opened.models, notify, worker);
    isTold = true;
  };
  const opened = await open({
    stop: AbortSignal.any([signals.stop, stopped.signal]),
    abort: AbortSignal.any([signals.abort, aborted.signal]),
    isPointless: (group) => pointless.has(group),
  });
  return {
    /** Performs one job and ends it, gives it back, or says that it failed. Never rejects. True: it has a result now. */
    async perform(job: TakenJob): Promise<boolean> {
      try {
        if (job.attempt > 1) await notify({ type: 'repeated', message: 'An attempt at a job was lost, or failed.' });
        const outcome = await opened.perform(job).finally(tell);
        // What this worker did not begin because it leaves is for somebody else.
        const isLeft = outcome === 'nothing' && signals.stop.aborted && !stopped.signal.aborted;
        if (isLeft || outcome === 'elsewhere') await job.giveBack();
        else await job.done();
        return outcome === 'done';
      } catch (error) {
        if (errorCode(error) !== 'JOB_LOST') await job.failed(redactor.text(errorMessage(error))).catch(() => {});
        return false;
      }
    },
    /** What the coordinator said last. */
    direct({ stops, pointless: groups }: Directions): void {
      if (stops >= 1) stopped.abort();
      if (stops >= 2) aborted.abort();
      if (groups.length !== pointless.size) pointless = new Set(groups);
    },
    /** It takes no job until the coordinator says more: a model that it needs cannot be reached from here. */
    isWaiting: () => isTold && (opened.models?.waitsForCoordinator() ?? false),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

/** What this worker knows and the coordinator does not: which models refuse all its requests, and that the budget is used up. */
async function tellCoordinator(models: WorkPerformer['models'], notify: Notify, worker: string): Promise<void> {
  if (!models) return;
  const { budget, asked, outageOf } = models;
  if (budget.refusal !== null) await notify({ type: 'budget', message: budget.refusal });
  for (const { adapter, model } of asked) {
    const { proof } = outageOf(adapter, model);
    if (proof) await notify({ type: 'outage', worker, adapter, model, message: proof.message, code: proof.code });
  }
}

type Notify = (notice: Notice) => Promise<void>;

/** Tells the coordinator each thing once. Texts of providers may quote keys. */
export function createNotifier(
  place: { session: Pick<WorkerSession, 'notify'>; opening: Opening; onPaused: (reason: string) => void },
  redactor: Redactor,
): Notify {
  const told = new Set<string>();
  return async (given) => {
    const notice = { ...given, message: redactor.text(given.message) };
    const key = JSON.stringify(notice);
    if (told.has(key)) return;
    await place.session.notify(place.opening, notice);
    if (told.has(key)) return;
    told.add(key);
    if (notice.type === 'outage') place.onPaused(notice.message);
  };
}

import { SalvoError } from '../text/errors/salvo-error.ts';
import { salvoCommand } from '../text/output/salvo-command.ts';
import type { WorkEvent, WorkSignals } from './conduct.ts';
import type { Work } from './lease.ts';
import type { CoordinatedOrder, FailedJob, Job, Notice, WorkerDescription } from './work-queue.ts';

/** What the coordinator of a run or an experiment does while workers do its jobs. */
export interface CoordinatedJobs {
  /** What is missing. Read as it is added, so that it may be of any length. */
  jobs(): Iterable<Job> | AsyncIterable<Job>;
  /** Counts everything that workers have stored by now. */
  readResults(): Promise<void>;
  /** Groups of which no further job is worth performing. Missing if there never is one. */
  pointless?(): string[];
  /** Hears every notice except those of workers that have closed the order. */
  onNotice(notice: Exclude<Notice, { type: 'left' }>): void;
  /** Stores why a job has no result. */
  onFailed(failed: FailedJob): Promise<void>;
  /** Called while jobs wait whose worker was lost, or failed. */
  onAgain?(): void;
  /** Why no worker can take the jobs that wait, and what to do; null if one can. */
  whyNoWorker(): Promise<string | null>;
  /** Hears once of each reason why no worker can take jobs. */
  onEvent(event: WorkEvent): void;
  /** The workers that are there. */
  workers(): Promise<readonly Pick<WorkerDescription, 'worker_id'>[]>;
}

export interface CoordinatorSignals extends WorkSignals {
  /** Aborted: this process leaves the work to the workers. */
  leave?: AbortSignal | undefined;
}

/** The work goes on without this process. */
export class LeftToWorkers extends SalvoError {
  readonly work: Work;

  constructor(work: Work) {
    const { kind, id } = work;
    super('RUN_LEFT_TO_WORKERS', `The workers go on with ${kind} ${id}. To follow it: ${salvoCommand()} attach ${id}`, {
      outcome: 'unscored',
    });
    this.work = work;
  }
}

const JOBS_AT_ONCE = 1000;
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1000;
/** Within this time every worker has learned that it should take nothing more. */
export const STOP_REACHES_ALL_MS = 1200;
const LOOK_FOR_WORKERS_MS = 2000;
/** The report should not have to wait because something is torn down elsewhere. */
const CLOSING_MS = 60_000;

/**
 * Adds all jobs and returns when none is left: done, given up, or no longer wanted, and when the workers have torn down
 * what they had set up. The order stays open. Rejects with `LeftToWorkers` when this process should leave.
 */
export async function followOrder(
  coordinated: CoordinatedOrder,
  work: CoordinatedJobs,
  signals: CoordinatorSignals,
): Promise<void> {
  const { lost, stop, abort, leave } = signals;
  let isAdded = false;
  let problem: { error: unknown } | null = null;
  const ended = new AbortController();
  const adding = addJobs(
    coordinated,
    work.jobs(),
    AbortSignal.any([stop, ended.signal, lost, ...(leave ? [leave] : [])]),
  ).then(
    () => {
      isAdded = true;
    },
    (error: unknown) => {
      problem = { error };
    },
  );
  const direct = directing(coordinated, work, signals);
  const lookForWorkers = lookingForWorkers(work);
  const closing = new Set<string>();
  const listen = (notices: readonly Notice[]): void => {
    for (const notice of notices) {
      if (notice.type === 'left') closing.delete(notice.worker);
      else work.onNotice(notice);
      if (notice.type === 'joined' && notice.tears_down) closing.add(notice.worker);
    }
  };
  let stoppedAt: number | null = null;
  try {
    for (;;) {
      lost.throwIfAborted();
      if (leave?.aborted) throw new LeftToWorkers(coordinated.order.work);
      if (problem !== null) throw thrownBy(problem);
      const began = performance.now();
      await direct();
      if (stop.aborted) stoppedAt ??= performance.now();
      // Read before the progress is: when nothing is left, nothing was added since.
      const wasAdded = isAdded;
      const { waiting, again, active, failed, notices } = await coordinated.progress();
      listen(notices);
      for (const each of failed) await work.onFailed(each);
      await work.readResults();
      work.onEvent({ type: 'under_way', jobs: active });
      if (again + failed.length > 0) work.onAgain?.();
      if (wasAdded && waiting + active === 0) break;
      if (active === 0 && stoppedAt !== null && performance.now() - stoppedAt > STOP_REACHES_ALL_MS) break;
      await lookForWorkers({ waiting, active });
      const took = performance.now() - began;
      await pause(Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, 4 * took)), [stop, abort, lost, leave]);
    }
    await untilClosed(coordinated, { work, signals, closing, listen });
  } finally {
    ended.abort();
    await adding;
  }
}

/** Waits for the workers that have something to tear down: what fails there belongs into the report. */
async function untilClosed(
  coordinated: CoordinatedOrder,
  of: {
    work: CoordinatedJobs;
    signals: CoordinatorSignals;
    closing: Set<string>;
    listen: (notices: readonly Notice[]) => void;
  },
): Promise<void> {
  const { work, closing, listen } = of;
  const { lost, abort, leave } = of.signals;
  if (closing.size === 0) return;
  await coordinated.direct({ isOver: true });
  const until = performance.now() + CLOSING_MS;
  while (!abort.aborted) {
    lost.throwIfAborted();
    if (leave?.aborted) throw new LeftToWorkers(coordinated.order.work);
    const present = new Set((await work.workers()).map(({ worker_id }) => worker_id));
    // Read after the workers were: one that is gone by then has said what it had to say.
    listen((await coordinated.progress()).notices);
    const waited = [...closing].filter((worker) => present.has(worker)).length;
    if (waited === 0) return;
    if (performance.now() > until) {
      const who = waited === 1 ? '1 worker has' : `${waited} workers have`;
      const message = `${who} not ended the teardowns after ${CLOSING_MS / 1000} s. What fails there is shown there.`;
      return work.onNotice({ type: 'warning', message });
    }
    await pause(SHORTEST_PAUSE_MS, [abort, lost, leave]);
  }
}

function thrownBy({ error }: { error: unknown }): unknown {
  return error;
}

async function addJobs(
  coordinated: CoordinatedOrder,
  jobs: Iterable<Job> | AsyncIterable<Job>,
  until: AbortSignal,
): Promise<void> {
  let batch: Job[] = [];
  for await (const job of jobs) {
    if (until.aborted) return;
    batch.push(job);
    if (batch.length < JOBS_AT_ONCE) continue;
    await coordinated.add(batch);
    batch = [];
  }
  if (batch.length > 0 && !until.aborted) await coordinated.add(batch);
}

/** Tells the workers what has changed, and nothing else. */
function directing(
  coordinated: CoordinatedOrder,
  work: CoordinatedJobs,
  { stop, abort }: CoordinatorSignals,
): () => Promise<void> {
  const known = new Set<string>();
  let told = 0;
  return async () => {
    const stops = abort.aborted ? 2 : stop.aborted ? 1 : 0;
    const pointless = (work.pointless?.() ?? []).filter((group) => !known.has(group));
    if (stops > told || pointless.length > 0) await coordinated.direct({ ...(stops > told && { stops }), pointless });
    told = Math.max(stops, told);
    for (const group of pointless) known.add(group);
  };
}

function lookingForWorkers(work: CoordinatedJobs): (jobs: { waiting: number; active: number }) => Promise<void> {
  const said = new Set<string>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  return async ({ waiting, active }) => {
    if (waiting === 0 || active > 0 || performance.now() - lookedAt < LOOK_FOR_WORKERS_MS) return;
    lookedAt = performance.now();
    const reason = await work.whyNoWorker();
    if (reason === null || said.has(reason)) return;
    said.add(reason);
    work.onEvent({ type: 'no_worker', reason });
  };
}

/** Ends early when a signal is aborted that was not yet. */
async function pause(ms: number, signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  const fresh = signals.flatMap((signal) => (signal && !signal.aborted ? [signal] : []));
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const onAbort = (): void => resolve();
  for (const signal of fresh) signal.addEventListener('abort', onAbort, { once: true });
  await promise;
  clearTimeout(timer);
  for (const signal of fresh) signal.removeEventListener('abort', onAbort);
}

import { hostname } from 'node:os';
import { loadSettings, openProjectStore, type Stoppable, type Workplace } from 'salvo/kit/project';
import { newId, type OpenOrder, type TakenJob, type WorkerDescription } from 'salvo/kit/queue';
import { openResources } from 'salvo/kit/resources';
import type { Project } from 'salvo/kit/scenario';
import { errorMessage, salvoVersion } from 'salvo/kit/text';
import type { Desk } from './create-desk.ts';
import type { GrantedVariables } from './granted-variables.ts';
import { isSameVersion, type KnownOrder, openEntry, type Post } from './known-order.ts';
import { workforceOf } from './lead-order.ts';
import { createRoomForJobs } from './room-for-jobs.ts';
import { createStandInLeads } from './stand-in-leads.ts';
import type { WorkerEvent } from './worker-event.ts';

export interface WorkerOptions extends Workplace, Stoppable {
  /** Jobs at the same time; `concurrency` of salvo.yaml if not given. */
  concurrency?: number | undefined;
  labels?: string[] | undefined;
  /** Code that it may execute: all of it, or pieces by their hash. None if not given. */
  allowCode?: WorkerDescription['allowed_code'] | undefined;
  /** Variables that runs may send to servers and programs. Only the usual keys of providers if not given. */
  granted?: GrantedVariables | undefined;
  /** Only this run or experiment; it ends with it. */
  run?: string | undefined;
  /** Ends when there was nothing to do for so long. */
  idleExitSeconds?: number | undefined;
  /** How `salvo` is started: work with code gets a process of its own. */
  command: readonly string[];
  onEvent?: ((event: WorkerEvent) => void) | undefined;
}

const LOOK_FOR_ORDERS_MS = 500;
const IDLE_WAIT_MS = 1000;
/** A run that was named and is not there by then has ended. */
const NAMED_RUN_MS = 60_000;

/** Takes jobs of all runs and experiments until it is stopped. The first stop finishes what is under way. */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { cwd = process.cwd(), env = process.env, granted = [], onEvent = () => {} } = options;
  await using resources = openResources();
  const project = await loadSettings(cwd);
  const store = resources.adopt(await openProjectStore(project, { env, patience: options.patience }), (each) =>
    each.close(),
  );
  const { queue } = workforceOf(store);
  const worker = describeWorker(options, project);
  const session = resources.use(await queue.join(worker));
  onEvent({ type: 'joined', worker });
  const jobs = await takeJobs({ options, project, store, session, worker, granted, cwd, env, onEvent });
  onEvent({ type: 'left', jobs });
}

function describeWorker(options: WorkerOptions, { config }: Project): WorkerDescription {
  return {
    worker_id: newId(),
    host: hostname(),
    pid: process.pid,
    salvo_version: salvoVersion(),
    labels: options.labels ?? [],
    concurrency: options.concurrency ?? config.concurrency,
    allowed_code: options.allowCode ?? [],
  };
}

const NEVER = new AbortController().signal;

async function takeJobs(post: Post & { options: WorkerOptions }): Promise<number> {
  const { options, session, worker, onEvent } = post;
  const { stop = NEVER, abort = NEVER } = options;
  const known = new Map<string, KnownOrder>();
  const leads = createStandInLeads(post);
  const beingOpened = new Set<Promise<void>>();
  const running = new Set<Promise<void>>();
  const room = createRoomForJobs(worker.concurrency);
  let total = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let busyAt = performance.now();
  let wasSeen = false;
  let wasRefused = false;
  let wake = new AbortController();
  // With a reason: without one, each abort makes an error and its stack.
  const wakeUp = (): void => wake.abort('woken');
  stop.addEventListener('abort', wakeUp);
  abort.addEventListener('abort', wakeUp);

  const children = (): number => [...known.values()].filter(({ child }) => child !== null).length;

  const begin = ({ order, generation }: OpenOrder): void => {
    const opening = { work: order.work, generation };
    const entry: KnownOrder = {
      order,
      opening,
      desk: null,
      child: null,
      underWay: 0,
      jobs: 0,
      isOld: false,
      isOpening: true,
      isClosing: false,
    };
    known.set(keyOf(order.work), entry);
    const opened = openEntry(entry, post, () => void close(entry).then(wakeUp))
      .catch(async (error: unknown) => {
        const reason = errorMessage(error);
        onEvent({ type: 'order_refused', work: order.work, reason });
        wasRefused = true;
        // The client sees the version among the workers, and could not read a notice of every other version.
        if (!isSameVersion(order)) return;
        const message = `The worker on ${worker.host} (process ${worker.pid}) cannot take it: ${reason}`;
        await session.notify(opening, { type: 'refusal', worker: worker.worker_id, message }).catch(() => {});
      })
      .then(() => {
        entry.isOpening = false;
        wakeUp();
      });
    beingOpened.add(opened);
    void opened.finally(() => beingOpened.delete(opened));
  };

  const close = async (entry: KnownOrder): Promise<void> => {
    // What is still being opened is closed by the next look: nothing else would do it.
    if (entry.isOpening || entry.isClosing || entry.underWay > 0) return;
    entry.isClosing = true;
    await entry.desk?.[Symbol.asyncDispose]();
    known.delete(keyOf(entry.order.work));
    if (entry.desk || entry.child)
      onEvent({ type: 'order_ended', work: entry.order.work, jobs: entry.child ? null : entry.jobs });
  };

  const look = async (): Promise<void> => {
    const open = (await session.orders()).filter(
      ({ order }) => options.run === undefined || order.work.id === options.run,
    );
    wasSeen ||= open.length > 0;
    const byKey = new Map(open.map((each) => [keyOf(each.order.work), each]));
    for (const each of open) {
      const { order, generation, directions } = each;
      const entry = known.get(keyOf(order.work));
      // The process that resumed it may have opened it again between two looks.
      const isOther = entry && entry.opening.generation !== generation;
      if (isOther) entry.isOld = true;
      if (entry && !entry.child && (isOther || directions.isOver)) await close(entry);
      if (!known.has(keyOf(order.work)) && !stop.aborted && !directions.isOver) begin(each);
      if (!isOther) entry?.desk?.direct(directions);
    }
    for (const { order, hasCoordinator } of open) {
      if (!hasCoordinator && !stop.aborted && isSameVersion(order)) leads.begin(order);
    }
    for (const [key, entry] of known) if (!byKey.has(key) && !entry.child) await close(entry);
  };

  const start = async (jobs: readonly TakenJob[]): Promise<void> => {
    const begun: { job: TakenJob; entry: KnownOrder; desk: Desk }[] = [];
    const left: TakenJob[] = [];
    for (const job of jobs) {
      const entry = known.get(keyOf(job.work));
      if (entry?.desk && room.mayBegin(job.attempt, running.size + begun.length))
        begun.push({ job, entry, desk: entry.desk });
      else left.push(job);
    }
    // Before the others begin: what is still here when one of them ends this process has lost an attempt.
    await Promise.allSettled(left.map((job) => job.giveBack()));
    for (const { job, entry, desk } of begun) {
      entry.underWay += 1;
      const performed = desk.perform(job).then((isDone) => {
        entry.underWay -= 1;
        if (isDone) {
          entry.jobs += 1;
          total += 1;
        }
        running.delete(performed);
        wakeUp();
      });
      running.add(performed);
    }
  };

  try {
    for (;;) {
      wake = new AbortController();
      if (stop.aborted && running.size === 0 && children() === 0) break;
      if (performance.now() - lookedAt > LOOK_FOR_ORDERS_MS) {
        await look();
        lookedAt = performance.now();
      }
      const desks = [...known.values()].filter(
        ({ desk, isOld, isClosing }) => desk && !isOld && !isClosing && !desk.isWaiting(),
      );
      const wanted = stop.aborted ? 0 : room.free(running.size);
      const jobs =
        wanted > 0 && desks.length > 0
          ? await session.take(
              desks.map(({ opening }) => opening),
              wanted,
            )
          : [];
      await start(jobs);
      const isBusy = running.size + beingOpened.size + leads.count() + children() > 0;
      if (isBusy) busyAt = performance.now();
      else if (isOver({ options, wasSeen, wasRefused, known, idleMs: performance.now() - busyAt })) break;
      if (jobs.length < wanted || wanted <= 0)
        await session.wait(running.size > 0 ? LOOK_FOR_ORDERS_MS : IDLE_WAIT_MS, wake.signal);
    }
    return total;
  } finally {
    stop.removeEventListener('abort', wakeUp);
    abort.removeEventListener('abort', wakeUp);
    await leads.leave();
    await Promise.all([...beingOpened]);
    await Promise.all([...known.values()].map(close));
  }
}

/** A worker of one order ends with it, and one that waits only so long after that time. */
function isOver(state: {
  options: WorkerOptions;
  wasSeen: boolean;
  wasRefused: boolean;
  known: ReadonlyMap<string, KnownOrder>;
  idleMs: number;
}): boolean {
  const { options, wasSeen, wasRefused, known, idleMs } = state;
  const hasEnded = wasRefused || (wasSeen ? known.size === 0 : idleMs > NAMED_RUN_MS);
  if (options.run !== undefined && hasEnded) return true;
  return options.idleExitSeconds !== undefined && idleMs > options.idleExitSeconds * 1000;
}

function keyOf({ kind, id }: OpenOrder['order']['work']): string {
  return `${kind} ${id}`;
}

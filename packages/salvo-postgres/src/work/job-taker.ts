import type { OpenOrder, TakenJob } from 'salvo/kit/queue';
import { errorMessage } from 'salvo/kit/text';
import type { JobPerformer } from './job-performer.ts';
import { JobSlots } from './job-slots.ts';
import { isSameVersion, type KnownOrder, newKnownOrder, openEntry, type WorkerContext } from './known-order.ts';
import { createRoomForJobs } from './room-for-jobs.ts';
import { Takeovers } from './takeovers.ts';

const LOOK_FOR_ORDERS_MS = 500;
const LOOK_FOR_END_MS = 1000;
/** A run that was named and is not there by then has ended. */
const NAMED_RUN_MS = 60_000;
const NEVER = new AbortController().signal;

/** Takes jobs of all orders that this worker can open, until it is stopped or has nothing more to wait for. */
export class JobTaker {
  readonly #context: WorkerContext;
  readonly #known = new Map<string, KnownOrder>();
  readonly #takeovers: Takeovers;
  readonly #room = createRoomForJobs();
  readonly #slots: JobSlots;
  readonly #beingOpened = new Set<Promise<void>>();
  readonly #running = new Set<Promise<void>>();
  #jobs = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #busyAt = performance.now();
  #wasSeen = false;
  #wasRefused = false;
  #wake = new AbortController();

  constructor(context: WorkerContext) {
    this.#context = context;
    this.#takeovers = new Takeovers(context);
    this.#slots = new JobSlots(context.worker.concurrency);
  }

  /** Returns how many jobs have got their result here. */
  async takeAll(): Promise<number> {
    const { stop = NEVER, abort = NEVER } = this.#context.options;
    stop.addEventListener('abort', this.#wakeUp);
    abort.addEventListener('abort', this.#wakeUp);
    try {
      while (await this.#takeOnce(stop));
      return this.#jobs;
    } finally {
      stop.removeEventListener('abort', this.#wakeUp);
      abort.removeEventListener('abort', this.#wakeUp);
      await this.#takeovers.leave();
      await Promise.all([...this.#beingOpened]);
      await Promise.all([...this.#known.values()].map((entry) => this.#close(entry)));
    }
  }

  // With a reason: without one, each abort makes an error and its stack.
  readonly #wakeUp = (): void => this.#wake.abort('woken');

  /** False: this worker has nothing more to do. */
  async #takeOnce(stop: AbortSignal): Promise<boolean> {
    const { session } = this.#context;
    this.#wake = new AbortController();
    this.#slots.leaveLate();
    if (stop.aborted && this.#running.size === 0 && this.#children() === 0) return false;
    if (performance.now() - this.#lookedAt > LOOK_FOR_ORDERS_MS) {
      await this.#look(stop);
      this.#lookedAt = performance.now();
    }
    const ready = [...this.#known.values()].filter(
      ({ performer, isOld, isClosing }) => performer && !isOld && !isClosing && !performer.isWaiting(),
    );
    const wanted = stop.aborted ? 0 : this.#room.free(this.#running.size, this.#slots.most);
    const openings = ready.map(({ opening }) => opening);
    const jobs = wanted > 0 && ready.length > 0 ? await session.take(openings, wanted) : [];
    await this.#start(jobs);
    const underWay = this.#running.size + this.#beingOpened.size + this.#takeovers.count + this.#children();
    if (underWay > 0) this.#busyAt = performance.now();
    else if (this.#isOver()) return false;
    if (jobs.length < wanted || wanted <= 0) {
      await session.wait(this.#waitMs(underWay), this.#wake.signal);
    }
    return true;
  }

  #waitMs(underWay: number): number {
    const { run, idleExitSeconds } = this.#context.options;
    if (this.#running.size > 0) return LOOK_FOR_ORDERS_MS;
    const endsByItself = run !== undefined || idleExitSeconds !== undefined;
    return underWay > 0 || endsByItself ? LOOK_FOR_END_MS : this.#context.session.idleMs;
  }

  /** Opens orders that are new, closes those that are over, and hears what coordinators say. */
  async #look(stop: AbortSignal): Promise<void> {
    const { session, options } = this.#context;
    const all = await session.orders();
    const open = all.filter(({ order }) => options.run === undefined || order.work.id === options.run);
    this.#wasSeen ||= open.length > 0;
    for (const each of open) {
      const { order, generation, directions } = each;
      const entry = this.#known.get(keyOf(order.work));
      // The process that resumed it may have opened it again between two looks.
      const isOther = entry && entry.opening.generation !== generation;
      if (isOther) entry.isOld = true;
      if (entry && !entry.child && (isOther || directions.isOver)) await this.#close(entry);
      if (!this.#known.has(keyOf(order.work)) && !stop.aborted && !directions.isOver) this.#begin(each);
      if (!isOther) entry?.performer?.direct(directions);
    }
    for (const { order, hasCoordinator } of open) {
      if (!hasCoordinator && !stop.aborted && isSameVersion(order)) this.#takeovers.begin(order);
    }
    const keys = new Set(open.map(({ order }) => keyOf(order.work)));
    for (const [key, entry] of this.#known) if (!keys.has(key) && !entry.child) await this.#close(entry);
  }

  #begin({ order, generation }: OpenOrder): void {
    const { session, worker, onEvent } = this.#context;
    const entry = newKnownOrder(order, generation);
    this.#known.set(keyOf(order.work), entry);
    const opened = openEntry(entry, this.#context, () => void this.#close(entry).then(this.#wakeUp))
      .catch(async (error: unknown) => {
        const reason = errorMessage(error);
        onEvent({ type: 'order_refused', work: order.work, reason });
        this.#wasRefused = true;
        // The client sees the version among the workers, and could not read a notice of every other version.
        if (!isSameVersion(order)) return;
        const message = `The worker on ${worker.host} (process ${worker.pid}) cannot take it: ${reason}`;
        await session.notify(entry.opening, { type: 'refusal', worker: worker.worker_id, message }).catch(() => {});
      })
      .then(() => {
        entry.isOpening = false;
        this.#wakeUp();
      });
    this.#beingOpened.add(opened);
    void opened.finally(() => this.#beingOpened.delete(opened));
  }

  async #close(entry: KnownOrder): Promise<void> {
    // What is still being opened is closed by the next look: nothing else would do it.
    if (entry.isOpening || entry.isClosing || entry.underWay > 0) return;
    entry.isClosing = true;
    await entry.performer?.[Symbol.asyncDispose]();
    const { work } = entry.order;
    this.#known.delete(keyOf(work));
    if (!entry.performer && !entry.child) return;
    this.#context.onEvent({ type: 'order_ended', work, jobs: entry.child ? null : entry.jobs });
  }

  async #start(jobs: readonly TakenJob[]): Promise<void> {
    const begun: { job: TakenJob; entry: KnownOrder; performer: JobPerformer }[] = [];
    const left: TakenJob[] = [];
    for (const job of jobs) {
      const entry = this.#known.get(keyOf(job.work));
      if (entry?.performer && this.#room.mayBegin(job.attempt, this.#running.size + begun.length))
        begun.push({ job, entry, performer: entry.performer });
      else left.push(job);
    }
    // Before the others begin: what is still here when one of them ends this process has lost an attempt.
    await Promise.allSettled(left.map((job) => job.giveBack()));
    for (const { job, entry, performer } of begun) {
      entry.underWay += 1;
      const performed = this.#slots.perform(job, performer.perform).then((isDone) => {
        entry.underWay -= 1;
        if (isDone) {
          entry.jobs += 1;
          this.#jobs += 1;
        }
        this.#running.delete(performed);
        this.#wakeUp();
      });
      this.#running.add(performed);
    }
  }

  #children(): number {
    return [...this.#known.values()].filter(({ child }) => child !== null).length;
  }

  /** A worker of one order ends with it, and one that waits only so long after that time. */
  #isOver(): boolean {
    const { run, idleExitSeconds } = this.#context.options;
    const idleMs = performance.now() - this.#busyAt;
    const hasEnded = this.#wasRefused || (this.#wasSeen ? this.#known.size === 0 : idleMs > NAMED_RUN_MS);
    if (run !== undefined && hasEnded) return true;
    return idleExitSeconds !== undefined && idleMs > idleExitSeconds * 1000;
  }
}

function keyOf({ kind, id }: OpenOrder['order']['work']): string {
  return `${kind} ${id}`;
}

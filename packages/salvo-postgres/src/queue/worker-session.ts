import {
  LEASE_MS,
  type Notice,
  type Opening,
  type OpenOrder,
  type TakenJob,
  type WorkerDescription,
  type WorkerSession,
} from 'salvo/kit/queue';
import { changedSchema } from '../postgres/migrate-schema.ts';
import { HeldJobs, type HeldJobsOptions, type Pace } from './held-jobs.ts';
import { leaseJobs } from './job-table.ts';
import { type OrderRow, type QueueNews, wakeWorkers } from './order-table.ts';
import { insertNotice } from './work-reports.ts';
import { announceWorker, lookAtQueue, type SeenQueue } from './worker-table.ts';

export interface SessionOptions extends HeldJobsOptions, Pace {
  worker: WorkerDescription;
  onLeave: () => void;
}

/**
 * Workers that wait look at the queue in turns: one of them every 30 ms, or each once a second if they are few. So
 * waiting costs the same with any number of workers, and a job that nobody heard of is found as soon.
 */
const LOOK_IN_TURNS_MS = 30;
const SHORTEST_IDLE_MS = 1000;
const LONGEST_IDLE_MS = 30_000;
/** If there are more workers, only as many of them look for new jobs as are needed. */
const ALL_LOOK = 8;

/** A worker, as the queue knows it. */
export class PostgresWorkerSession implements WorkerSession {
  readonly #options: SessionOptions;
  readonly #held: HeldJobs;
  readonly #sleepers = new Set<() => void>();
  /** Orders that had too few jobs when this worker took the last ones. */
  readonly #exhausted = new Set<string>();
  #seen: { queue: Promise<SeenQueue>; at: number } | null = null;
  /** The versions of the tables when the worker joined. */
  #tables: ReadonlyMap<string, number> = new Map();
  #workers = 1;
  #announcedAt = Number.NEGATIVE_INFINITY;
  #isDue = false;
  #timesHeard = 0;
  #turn = 0;
  /** Why this worker can do nothing more. */
  #problem: unknown = null;

  static async join(options: SessionOptions): Promise<PostgresWorkerSession> {
    const session = new PostgresWorkerSession(options);
    session.#tables = (await session.#announce()).tables;
    return session;
  }

  private constructor(options: SessionOptions) {
    this.#options = options;
    this.#held = new HeldJobs(options);
  }

  get idleMs(): number {
    return Math.min(LONGEST_IDLE_MS, Math.max(SHORTEST_IDLE_MS, this.#workers * LOOK_IN_TURNS_MS));
  }

  /** Renews the leases of all jobs that the worker has, and finds out which of them it has lost. */
  async renew(): Promise<void> {
    await this.#held.renew();
  }

  /** Says that the worker is there. Returns whether somebody should look for lost jobs of other workers. */
  async signOfLife(): Promise<boolean> {
    // Nobody waits for a worker without jobs.
    if (this.#held.isEmpty && performance.now() - this.#announcedAt < this.idleMs) return false;
    return (await this.#announce()).isWatchDue;
  }

  heard(news: QueueNews): void {
    if (news === 'directions' && this.#held.isEmpty) return;
    if (typeof news === 'number' && !this.#isDrawn(news)) return;
    if (typeof news === 'number') this.#exhausted.clear();
    else this.#seen = null;
    this.#timesHeard += 1;
    this.#wakeUp();
  }

  async orders(): Promise<OpenOrder[]> {
    if (this.#problem !== null) throw this.#problem;
    return (await this.#current()).orders.map(({ labelSets: _, hasWaiting: __, ...open }) => open);
  }

  async take(openings: readonly Opening[], limit: number): Promise<TakenJob[]> {
    // However old they are: whether an order is still open and not stopped is checked again with each of its jobs.
    const { orders } = await (this.#seen?.queue ?? this.#current());
    const open = openings
      .flatMap((opening) => orders.find((row) => isOf(row, opening)) ?? [])
      .filter((row) => !this.#held.isEmpty || !this.#exhausted.has(keyOf(row)));
    const jobs: TakenJob[] = [];
    try {
      await this.#takeInTurn(
        open.filter(({ directions }) => directions.stops === 0),
        limit,
        jobs,
      );
    } catch (error) {
      // No worker will do those that were taken before.
      for (const job of jobs) job.giveBack().catch(() => {});
      throw error;
    }
    return jobs;
  }

  wait(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.#sleepers.delete(finish);
        signal?.removeEventListener('abort', finish);
        this.#isDue = false;
        resolve();
      };
      const timer = setTimeout(finish, ms);
      if (this.#isDue || signal?.aborted) return finish();
      this.#sleepers.add(finish);
      signal?.addEventListener('abort', finish);
    });
  }

  async notify(opening: Opening, notice: Notice): Promise<void> {
    const { postgres, redact } = this.#options;
    await insertNotice(postgres, opening, { ...notice, message: redact(notice.message) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { postgres, worker, onLeave } = this.#options;
    onLeave();
    const count = await this.#held.giveBackAll();
    await postgres.query('DELETE FROM salvo.workers WHERE worker_id = $1', [worker.worker_id]);
    if (count > 0) await wakeWorkers(postgres, count);
  }

  /** Whether this worker is one of those that should look for so many new jobs. The others see what is left in turn. */
  #isDrawn(jobs: number): boolean {
    const needed = Math.max(1, jobs / this.#options.worker.concurrency);
    return this.#workers <= ALL_LOOK || Math.random() < needed / this.#workers;
  }

  #wakeUp(): void {
    this.#isDue = true;
    for (const wakeUp of this.#sleepers) wakeUp();
  }

  async #announce(): Promise<SeenQueue> {
    const { postgres, worker, heartbeatMs } = this.#options;
    this.#announcedAt = performance.now();
    const expiresMs = Math.max(LEASE_MS, 3 * this.idleMs);
    return await this.#see(announceWorker(postgres, worker, { watchMs: heartbeatMs, expiresMs }));
  }

  async #current(): Promise<SeenQueue> {
    const { postgres, ordersMs, heartbeatMs } = this.#options;
    // Of many workers, those that wait only look when they announce themselves.
    const idleMs = this.idleMs > heartbeatMs ? this.idleMs + 2 * heartbeatMs : this.idleMs;
    const staleMs = this.#held.isEmpty && ordersMs > 0 ? idleMs : ordersMs;
    const seen = this.#seen;
    if (seen !== null && performance.now() - seen.at < staleMs) return await seen.queue;
    return await this.#see(lookAtQueue(postgres, heartbeatMs));
  }

  async #see(queue: Promise<SeenQueue>): Promise<SeenQueue> {
    const seen = { queue, at: performance.now() };
    this.#seen = seen;
    try {
      const { orders, workers, tables } = await queue;
      this.#workers = workers;
      this.#problem ??= changedSchema(this.#options.postgres.place, this.#tables, tables);
      const found = orders.filter((row) => row.hasWaiting && this.#exhausted.delete(keyOf(row)));
      if (found.length > 0) this.#wakeUp();
    } catch (error) {
      if (this.#seen === seen) this.#seen = null;
      throw error;
    }
    return await queue;
  }

  async #takeInTurn(rows: readonly OrderRow[], limit: number, jobs: TakenJob[]): Promise<void> {
    const first = this.#turn++ % Math.max(rows.length, 1);
    const inTurn = [...rows.slice(first), ...rows.slice(0, first)];
    const empty = new Set<OrderRow>();
    // Each order gets a share, and those with more jobs get the rest.
    for (const most of [Math.ceil(limit / Math.max(rows.length, 1)), limit]) {
      for (const row of inTurn) {
        const wanted = Math.min(most, limit - jobs.length);
        if (wanted === 0 || empty.has(row)) continue;
        const [before, timesHeard] = [jobs.length, this.#timesHeard];
        await this.#takeFrom(row, wanted, jobs);
        if (jobs.length === before + wanted) continue;
        empty.add(row);
        if (timesHeard === this.#timesHeard) this.#exhausted.add(keyOf(row));
      }
    }
  }

  /** Adds them to `jobs`, so that the caller knows of them even if the database fails in the middle. */
  async #takeFrom(row: OrderRow, limit: number, jobs: TakenJob[]): Promise<void> {
    const { postgres, worker } = this.#options;
    const { work } = row.order;
    const full = jobs.length + limit;
    for (const labels of fittingSets(row.labelSets, worker.labels)) {
      const wanted = full - jobs.length;
      if (wanted <= 0) break;
      const list = { work, generation: row.generation, labels };
      const leased = await leaseJobs(postgres, list, { workerId: worker.worker_id, limit: wanted });
      for (const job of leased) jobs.push(this.#held.hold(work, job));
    }
  }
}

function keyOf({ order: { work }, generation }: OrderRow): string {
  return `${work.kind} ${work.id} ${generation}`;
}

function isOf({ order: { work }, generation }: OrderRow, opening: Opening): boolean {
  return work.kind === opening.work.kind && work.id === opening.work.id && generation === opening.generation;
}

/** Jobs with more labels first: fewer workers can do them. */
function fittingSets(sets: readonly string[][], labels: readonly string[]): string[][] {
  return sets
    .filter((set) => set.every((label) => labels.includes(label)))
    .toSorted((one, other) => other.length - one.length);
}

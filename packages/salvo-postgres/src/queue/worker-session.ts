import type { Notice, Opening, OpenOrder, TakenJob, WorkerDescription, WorkerSession } from 'salvo/kit/queue';
import { errorCode } from 'salvo/kit/text';
import { refuseChanged, schemaVersions } from '../postgres/migrate-schema.ts';
import { HeldJobs, type HeldJobsOptions } from './held-jobs.ts';
import { leaseJobs } from './job-table.ts';
import { type OrderRow, readOrders, wakeWorkers } from './order-table.ts';
import { insertNotice } from './work-reports.ts';

export interface SessionOptions extends HeldJobsOptions {
  worker: WorkerDescription;
  /** Without a notification, a change of the orders is seen after this time. */
  ordersMs: number;
  onLeave: () => void;
}

/** A worker, as the queue knows it. */
export class PostgresWorkerSession implements WorkerSession {
  readonly #options: SessionOptions;
  readonly #held: HeldJobs;
  /** The versions of the tables when the worker joined. */
  readonly #tables: ReadonlyMap<string, number>;
  readonly #sleepers = new Set<() => void>();
  #seen: { orders: Promise<OrderRow[]>; at: number } | null = null;
  #isDue = false;
  #turn = 0;
  /** Why this worker can do nothing more. */
  #problem: unknown = null;

  static async join(options: SessionOptions): Promise<PostgresWorkerSession> {
    const session = new PostgresWorkerSession(options, (await schemaVersions(options.postgres)) ?? new Map());
    await session.#register();
    return session;
  }

  private constructor(options: SessionOptions, tables: ReadonlyMap<string, number>) {
    this.#options = options;
    this.#held = new HeldJobs(options);
    this.#tables = tables;
  }

  /** Renews the leases of all jobs that the worker has, and finds out which of them it has lost. */
  async renew(): Promise<void> {
    await this.#held.renew();
  }

  /** Says that the worker is there, and finds out whether it still knows the tables. */
  async signOfLife(): Promise<void> {
    await this.#register();
    await refuseChanged(this.#options.postgres, this.#tables).catch((error: unknown) => {
      if (errorCode(error) === 'DATABASE_TABLES_TOO_NEW') this.#problem = error;
    });
  }

  /** The orders may have changed, or there are new jobs. */
  heard(): void {
    this.#seen = null;
    this.#isDue = true;
    for (const wakeUp of this.#sleepers) wakeUp();
  }

  async orders(): Promise<OpenOrder[]> {
    if (this.#problem !== null) throw this.#problem;
    const rows = await this.#currentOrders();
    return rows.map(({ order, generation, directions, hasCoordinator }) => ({
      order,
      generation,
      directions,
      hasCoordinator,
    }));
  }

  async take(openings: readonly Opening[], limit: number): Promise<TakenJob[]> {
    const orders = await this.#currentOrders();
    const open = openings.flatMap((opening) => orders.find((row) => isOf(row, opening)) ?? []);
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
    if (count > 0) await wakeWorkers(postgres);
  }

  async #register(): Promise<void> {
    const { postgres, worker } = this.#options;
    await postgres.query(
      `INSERT INTO salvo.workers (worker_id, document, seen_at) VALUES ($1, $2, now())
       ON CONFLICT (worker_id) DO UPDATE SET seen_at = now(), document = excluded.document`,
      [worker.worker_id, JSON.stringify(worker)],
    );
  }

  #currentOrders(): Promise<OrderRow[]> {
    const { postgres, ordersMs } = this.#options;
    if (!this.#seen || performance.now() - this.#seen.at >= ordersMs) {
      const orders = readOrders(postgres);
      this.#seen = { orders, at: performance.now() };
      orders.catch(() => {
        this.#seen = null;
      });
    }
    return this.#seen.orders;
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
        const before = jobs.length;
        await this.#takeFrom(row, wanted, jobs);
        if (jobs.length < before + wanted) empty.add(row);
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

function isOf({ order: { work }, generation }: OrderRow, opening: Opening): boolean {
  return work.kind === opening.work.kind && work.id === opening.work.id && generation === opening.generation;
}

/** Jobs with more labels first: fewer workers can do them. */
function fittingSets(sets: readonly string[][], labels: readonly string[]): string[][] {
  return sets
    .filter((set) => set.every((label) => labels.includes(label)))
    .toSorted((one, other) => other.length - one.length);
}

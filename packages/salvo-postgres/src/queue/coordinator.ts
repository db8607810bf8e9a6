import {
  type CoordinatedOrder,
  type Directions,
  type Job,
  LEASE_MS,
  type OpenOrder,
  type WorkOrder,
} from 'salvo/kit/queue';
import type { Postgres } from '../postgres/postgres.ts';
import { endExpiredLeases } from './expired-leases.ts';
import type { Pace } from './held-jobs.ts';
import { cancelJobs, countJobs, insertJobs } from './job-table.ts';
import { readNotices } from './notice-table.ts';
import { lockOrder, wakeWorkers } from './order-table.ts';

/** So many jobs are inserted with one statement. */
const INSERTED_AT_ONCE = 2000;
/** It takes a while to count more jobs, and it need not be known to the second. */
const MANY = 10_000;
const MANY_COUNTED_MS = 2000;
/** Fewer jobs are sorted in no time. */
const ANALYZED_FROM = 1000;

/**
 * If the coordinator has not looked at the jobs for this time, the database could not be reached, or the coordinator was
 * suspended. Then workers get this time to be heard of again.
 */
const UNWATCHED_MS = LEASE_MS / 2;

export interface CoordinatorOptions extends Pick<Pace, 'retryDelaySeconds'> {
  postgres: Postgres;
  row: OpenOrder;
}

/** An order and its jobs, for the process that coordinates it. Methods are fields, so that a caller can add to a copy. */
export class PostgresCoordinator implements CoordinatedOrder {
  readonly order: WorkOrder;
  readonly #options: CoordinatorOptions;
  readonly #pointless: Set<string>;
  #added = 0;
  /** The number of the last notice that was read. */
  #lastNotice = 0;
  /** Until PostgreSQL knows how many jobs there are, it sorts all of them to find the next one. */
  #analyzed = ANALYZED_FROM / 4;
  #counted = { waiting: 0, again: 0, active: 0, until: 0 };
  /** Since when it has looked at the jobs again and again, and when it did last: by the clock that goes on while a machine sleeps. */
  #watched = { since: 0, last: 0 };

  constructor(options: CoordinatorOptions) {
    const { order, directions } = options.row;
    this.#options = options;
    this.order = order;
    this.#pointless = new Set(directions.pointless);
  }

  readonly add = async (jobs: readonly Job[]): Promise<void> => {
    const { postgres } = this.#options;
    this.#counted.until = 0;
    for (let at = 0; at < jobs.length; at += INSERTED_AT_ONCE) {
      await this.#insert(jobs.slice(at, at + INSERTED_AT_ONCE).filter(({ group }) => !this.#pointless.has(group)));
      if (this.#added > 4 * this.#analyzed) {
        await postgres.query('ANALYZE salvo.jobs');
        this.#analyzed = this.#added;
      }
      // The first jobs can be taken while the others are still being inserted.
      if (at === 0 || at + INSERTED_AT_ONCE >= jobs.length) await wakeWorkers(postgres, jobs.length);
    }
  };

  async #insert(jobs: readonly Job[]): Promise<void> {
    const { postgres, row } = this.#options;
    const first = this.#added;
    this.#added += jobs.length;
    const placed = jobs.map((job, index) => ({ job, position: first + index }));
    await insertJobs(postgres, { work: this.order.work, generation: row.generation }, placed);
  }

  readonly direct = async (directions: Partial<Directions>): Promise<void> => {
    const { postgres, row } = this.#options;
    const { work } = this.order;
    for (const group of directions.pointless ?? []) this.#pointless.add(group);
    this.#counted.until = 0;
    await postgres.transaction(async (sql) => {
      const found = await lockOrder(sql, work, row.generation);
      if (!found) return;
      const stops = directions.stops ?? found.directions.stops;
      const isOver = directions.isOver ?? found.directions.isOver;
      const groups = [...new Set([...found.directions.pointless, ...this.#pointless])];
      await sql.query(
        'UPDATE salvo.work_orders SET stops = $3, pointless = $4, is_over = $5 WHERE kind = $1 AND id = $2',
        [work.kind, work.id, stops, JSON.stringify(groups), isOver],
      );
      if (directions.pointless?.length) await cancelJobs(sql, work, directions.pointless);
    });
    // Workers that have nothing to do need not know which groups are pointless.
    const isForAll = directions.stops !== undefined || directions.isOver !== undefined;
    await wakeWorkers(postgres, isForAll ? 'orders' : 'directions');
  };

  readonly progress = async (): ReturnType<CoordinatedOrder['progress']> => {
    const { postgres, retryDelaySeconds } = this.#options;
    const now = Date.now();
    const isUnwatched = Math.abs(now - this.#watched.last) > UNWATCHED_MS;
    this.#watched = { since: isUnwatched ? now : this.#watched.since, last: now };
    // Counted first: a job that is given up in between is then among the notices.
    if (performance.now() >= this.#counted.until) {
      const { expired, ...counts } = await countJobs(postgres, this.order.work);
      if (expired > 0 && now - this.#watched.since > UNWATCHED_MS)
        await endExpiredLeases(postgres, this.order.work, { retryDelaySeconds, until: now + UNWATCHED_MS });
      // That nothing is under way must be true when it is said.
      const isSlow = counts.waiting > MANY && counts.active > 0;
      this.#counted = { ...counts, until: isSlow ? performance.now() + MANY_COUNTED_MS : 0 };
    }
    const { waiting, again, active } = this.#counted;
    const { notices, left, last } = await readNotices(postgres, this.order.work, this.#lastNotice);
    this.#lastNotice = last;
    return { waiting, again, active: active + left, notices };
  };

  readonly close = async (): Promise<void> => {
    const { postgres, row } = this.#options;
    const { kind, id } = this.order.work;
    await postgres.query('DELETE FROM salvo.work_orders WHERE kind = $1 AND id = $2 AND generation = $3', [
      ...[kind, id, row.generation],
    ]);
    await wakeWorkers(postgres, 'orders');
  };
}

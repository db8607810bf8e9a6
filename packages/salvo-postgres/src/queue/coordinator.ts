import type { CoordinatedOrder, Directions, Job, WorkOrder } from 'salvo/kit/queue';
import type { Postgres } from '../postgres/postgres.ts';
import { cancelJobs, countJobs, insertJobs } from './job-table.ts';
import { lockOrder, type OrderRow, wakeWorkers } from './order-table.ts';
import { WorkReports } from './work-reports.ts';

/** So many jobs are inserted with one statement. */
const INSERTED_AT_ONCE = 2000;
/** It takes a while to count more jobs, and it need not be known to the second. */
const MANY = 10_000;
const MANY_COUNTED_MS = 2000;
/** Fewer jobs are sorted in no time. */
const ANALYZED_FROM = 1000;

export interface CoordinatorOptions {
  postgres: Postgres;
  row: OrderRow;
  coordinatorId: string;
  onLeave: () => void;
}

/** An order and its jobs, for the process that coordinates it. Methods are fields, so that a caller can add to a copy. */
export class PostgresCoordinator implements CoordinatedOrder {
  readonly order: WorkOrder;
  readonly #options: CoordinatorOptions;
  readonly #reports: WorkReports;
  readonly #pointless: Set<string>;
  /** The sets of labels that the row of the order is known to have, as JSON. */
  readonly #labelSets: Set<string>;
  #added = 0;
  /** Until PostgreSQL knows how many jobs there are, it sorts all of them to find the next one. */
  #analyzed = ANALYZED_FROM / 4;
  #counted = { waiting: 0, again: 0, active: 0, until: 0 };

  constructor(options: CoordinatorOptions) {
    const { order, directions, labelSets } = options.row;
    this.#options = options;
    this.order = order;
    this.#reports = new WorkReports(options.postgres, order.work);
    this.#pointless = new Set(directions.pointless);
    this.#labelSets = new Set(labelSets.map((labels) => JSON.stringify(labels)));
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
    const byLabels = Map.groupBy(placed, ({ job }) => JSON.stringify([...new Set(job.labels)].toSorted()));
    for (const [set, group] of byLabels) {
      const labels = [...new Set(group[0]?.job.labels)].toSorted();
      if (!this.#labelSets.has(set)) await this.#addLabelSet(labels);
      this.#labelSets.add(set);
      await insertJobs(postgres, { work: this.order.work, generation: row.generation, labels }, group);
    }
  }

  /** Workers look for jobs with these labels from now on. */
  async #addLabelSet(labels: string[]): Promise<void> {
    const { postgres, row } = this.#options;
    const { kind, id } = this.order.work;
    await postgres.transaction(async (sql) => {
      const found = await lockOrder(sql, this.order.work, row.generation);
      if (!found || found.labelSets.some((known) => JSON.stringify(known) === JSON.stringify(labels))) return;
      await sql.query('UPDATE salvo.work_orders SET label_sets = $3 WHERE kind = $1 AND id = $2', [
        ...[kind, id],
        JSON.stringify([...found.labelSets, labels]),
      ]);
    });
    await wakeWorkers(postgres, 'orders');
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
    // Counted first: a job that is given up in between is then among the failures.
    if (performance.now() >= this.#counted.until) {
      const counts = await countJobs(this.#options.postgres, this.order.work);
      // That nothing is under way must be true when it is said.
      const isSlow = counts.waiting > MANY && counts.active > 0;
      this.#counted = { ...counts, until: isSlow ? performance.now() + MANY_COUNTED_MS : 0 };
    }
    const { waiting, again, active } = this.#counted;
    const { failed, left } = await this.#reports.failures();
    return { waiting, again, active: active + left, failed, notices: await this.#reports.notices() };
  };

  readonly close = async (): Promise<void> => {
    const { postgres, row, onLeave } = this.#options;
    const { kind, id } = this.order.work;
    onLeave();
    await postgres.query('DELETE FROM salvo.work_orders WHERE kind = $1 AND id = $2 AND generation = $3', [
      ...[kind, id, row.generation],
    ]);
    await wakeWorkers(postgres, 'orders');
  };

  readonly [Symbol.asyncDispose] = async (): Promise<void> => {
    const { postgres, coordinatorId, onLeave } = this.#options;
    const { kind, id } = this.order.work;
    onLeave();
    await postgres.query(
      'UPDATE salvo.work_orders SET coordinator_id = NULL, coordinated_at = NULL WHERE kind = $1 AND id = $2 AND coordinator_id = $3',
      [kind, id, coordinatorId],
    );
  };
}

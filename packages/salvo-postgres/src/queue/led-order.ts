import { type Job, type LedOrder, MOST_ATTEMPTS, MOST_REPORTED, type Work } from 'salvo/kit/queue';
import type { Postgres, Row, Sql } from '../postgres/postgres.ts';
import type { JobBoard } from './job-board.ts';
import { jobToInsert } from './job-rows.ts';
import { lockOrder, type OrderRow, queueName, wakeWorkers } from './order-table.ts';
import { JOBS_SCHEMA } from './start-boss.ts';
import { type LabelledQueue, readFailure, readNotice } from './work-documents.ts';

/** So many jobs are inserted with one statement. */
const INSERTED_AT_ONCE = 2000;
/** It takes a while to count more jobs, and it need not be known to the second. */
const MANY = 10_000;
const MANY_COUNTED_MS = 2000;
/** Fewer jobs are sorted in no time. */
const ANALYZED_FROM = 1000;

export function leadOrder(options: {
  postgres: Postgres;
  board: JobBoard;
  row: OrderRow;
  leadId: string;
  onLeave: () => void;
}): LedOrder {
  const { postgres, board, row, leadId, onLeave } = options;
  const { order, generation } = row;
  const { kind, id } = order.work;
  let { queues } = row;
  const created = new Set<string>();
  const pointless = new Set(row.directions.pointless);
  let added = 0;
  // Until PostgreSQL knows how many jobs a queue has, it sorts all of them to find the next one.
  let analyzed = ANALYZED_FROM / 4;
  let counted = { waiting: 0, again: 0, active: 0, until: 0 };
  let lastFailure = 0;
  let lastNotice = 0;

  /** The queue is in the order before it exists: one that no order has is deleted by the process that finds it. */
  async function queueFor(labels: readonly string[]): Promise<string> {
    const name = queueName(order.work, generation, labels);
    if (created.has(name)) return name;
    queues = await postgres.transaction(async (sql) => {
      const found = await lockOrder(sql, order.work, generation);
      if (!found || found.queues.some((queue) => queue.name === name)) return found?.queues ?? queues;
      const all: LabelledQueue[] = [...found.queues, { name, labels: [...new Set(labels)].toSorted() }];
      await sql.query('UPDATE salvo.work_orders SET queues = $3 WHERE kind = $1 AND id = $2', [
        kind,
        id,
        JSON.stringify(all),
      ]);
      return all;
    });
    // Also if the order has it: the earlier lead may have died before this.
    await board.createQueue(name);
    created.add(name);
    return name;
  }

  async function insert(jobs: readonly Job[]): Promise<void> {
    const first = added;
    added += jobs.length;
    const numbered = jobs.map((job, index) => ({ job, number: first + index }));
    const byLabels = Map.groupBy(numbered, ({ job }) => JSON.stringify(job.labels.toSorted()));
    for (const group of byLabels.values()) {
      const name = await queueFor(group[0]?.job.labels ?? []);
      const rows = group.map(({ job, number }) => jobToInsert(order.work, generation, job, number));
      // The first of those with the same id, as it would be if they came one after the other.
      const unique = new Map(rows.toReversed().map((insertable) => [insertable.id, insertable]));
      await board.insert(name, [...unique.values()]);
    }
  }

  async function leave(): Promise<void> {
    onLeave();
    await postgres.query(
      'UPDATE salvo.work_orders SET lead_id = NULL, led_at = NULL WHERE kind = $1 AND id = $2 AND lead_id = $3',
      [kind, id, leadId],
    );
  }

  return {
    order,
    add: async (jobs) => {
      counted.until = 0;
      for (let at = 0; at < jobs.length; at += INSERTED_AT_ONCE) {
        const useful = jobs.slice(at, at + INSERTED_AT_ONCE).filter(({ group }) => !pointless.has(group));
        await insert(useful);
        if (added > 4 * analyzed) {
          await postgres.query(`ANALYZE ${JOBS_SCHEMA}.job_common`);
          analyzed = added;
        }
        // The first jobs can be taken while the others are still being inserted.
        if (at === 0 || at + INSERTED_AT_ONCE >= jobs.length) await wakeWorkers(postgres);
      }
    },
    direct: async (directions) => {
      for (const group of directions.pointless ?? []) pointless.add(group);
      counted.until = 0;
      await postgres.transaction(async (sql) => {
        const found = await lockOrder(sql, order.work, generation);
        if (!found) return;
        const stops = directions.stops ?? found.directions.stops;
        const isOver = directions.isOver ?? found.directions.isOver;
        const groups = [...new Set([...found.directions.pointless, ...pointless])];
        await sql.query(
          'UPDATE salvo.work_orders SET stops = $3, pointless = $4, is_over = $5 WHERE kind = $1 AND id = $2',
          [kind, id, stops, JSON.stringify(groups), isOver],
        );
        const names = found.queues.map(({ name }) => name);
        if (directions.pointless?.length) await board.cancel(sql, names, directions.pointless);
      });
      await wakeWorkers(postgres);
    },
    progress: async () => {
      // Counted first: a job that is given up in between is then among the failures.
      if (performance.now() >= counted.until) {
        const counts = await countJobs(postgres, queues);
        // That nothing is under way must be true when it is said.
        const isSlow = counts.waiting > MANY && counts.active > 0;
        counted = { ...counts, until: isSlow ? performance.now() + MANY_COUNTED_MS : 0 };
      }
      const failures = await readSince(postgres, 'work_failures', order.work, lastFailure);
      const reported = failures.rows.map(({ document }) => readFailure(document));
      lastFailure = failures.last;
      const notices = await readSince(postgres, 'work_notices', order.work, lastNotice);
      lastNotice = notices.last;
      return {
        waiting: counted.waiting,
        again: counted.again,
        active: counted.active + failures.left,
        failed: reported,
        notices: notices.rows.flatMap(({ document }) => readNotice(document) ?? []),
      };
    },
    close: async () => {
      onLeave();
      await postgres.query('DELETE FROM salvo.work_orders WHERE kind = $1 AND id = $2 AND generation = $3', [
        kind,
        id,
        generation,
      ]);
      for (const { name } of queues) await board.deleteQueue(name);
      await wakeWorkers(postgres);
    },
    [Symbol.asyncDispose]: leave,
  };
}

async function countJobs(sql: Sql, queues: readonly LabelledQueue[]) {
  // Each condition is that of an index of pg-boss. For attempts see `attemptOf`.
  const [row] = await sql.query(
    `SELECT waiting, again,
       (SELECT count(*) FROM ${JOBS_SCHEMA}.job
        WHERE name = ANY($1) AND state = 'active' AND group_id IS NOT NULL) AS active
     FROM (
       SELECT count(*) AS waiting,
         count(*) FILTER (WHERE state = 'retry' AND retry_limit - retry_count < ${MOST_ATTEMPTS}) AS again
       FROM ${JOBS_SCHEMA}.job WHERE name = ANY($1) AND state < 'active' AND NOT blocked
     ) AS counted`,
    [queues.map(({ name }) => name)],
  );
  return { waiting: Number(row?.waiting), again: Number(row?.again), active: Number(row?.active) };
}

/** The next rows that were written after the last one, and how many are left then. */
async function readSince(
  sql: Sql,
  table: 'work_failures' | 'work_notices',
  { kind, id }: Work,
  last: number,
): Promise<{ rows: Row[]; last: number; left: number }> {
  const rows = await sql.query(
    `SELECT number, document, count(*) OVER () AS found FROM salvo.${table}
     WHERE kind = $1 AND id = $2 AND number > $3 ORDER BY number LIMIT ${MOST_REPORTED}`,
    [kind, id, last],
  );
  const latest = rows.at(-1);
  return { rows, last: Number(latest?.number ?? last), left: Number(latest?.found ?? 0) - rows.length };
}

import type { WorkerDescription } from 'salvo/kit/queue';
import type { Postgres, Row } from '../postgres/postgres.ts';
import type { Failure, JobBoard } from './job-board.ts';
import { attemptOf, readJobData } from './job-rows.ts';
import { readOrders } from './order-table.ts';
import { JOBS_SCHEMA } from './start-boss.ts';
import { readWorker } from './work-documents.ts';

/** So many jobs are found in one transaction. */
const BATCH = 500;

/**
 * Ends the attempts of workers that were not heard of for the time of a lease. Every process with a queue calls this
 * regularly, and one of them does it for all. Not by pg-boss's `supervise`: that counts all jobs each time, and knows
 * no worker that a reason could name.
 */
export async function endLostAttempts(options: {
  postgres: Postgres;
  board: JobBoard;
  leaseSeconds: number;
  everySeconds: number;
}): Promise<void> {
  const { postgres, leaseSeconds, everySeconds } = options;
  // If no process looked for a while, the database could not be reached: its workers get time to be heard of again.
  const [watch] = await postgres.query(
    `UPDATE salvo.work_watch SET
       since = CASE WHEN looked_at < now() - $1 / 2 * interval '1 s' THEN now() ELSE since END,
       looked_at = now()
     WHERE looked_at < now() - $2 * interval '1 s'
     RETURNING since < now() - $1 / 2 * interval '1 s' AS is_steady`,
    [leaseSeconds, everySeconds],
  );
  if (watch?.is_steady !== true) return;
  while ((await endBatch(options)) === BATCH);
}

async function endBatch({
  postgres,
  board,
  leaseSeconds,
}: {
  postgres: Postgres;
  board: JobBoard;
  leaseSeconds: number;
}): Promise<number> {
  return await postgres.transaction(async (sql) => {
    const orders = await readOrders(sql);
    const works = new Map(orders.flatMap(({ order, queues }) => queues.map(({ name }) => [name, order.work])));
    const rows = await sql.query(
      `SELECT name, id, data, priority, retry_count, retry_limit FROM ${JOBS_SCHEMA}.job
       WHERE name = ANY($1) AND state = 'active' AND group_id IS NOT NULL
         AND heartbeat_on < now() - $2 * interval '1 s'
       LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
      [[...works.keys()], leaseSeconds],
    );
    if (rows.length === 0) return 0;
    const held = await sql.query('SELECT document, held FROM salvo.workers WHERE held && $1 ORDER BY seen_at', [
      rows.map(({ id }) => id),
    ]);
    const holders = new Map(held.flatMap(holdings));
    for (const [queue, lost] of Map.groupBy(rows, ({ name }) => String(name))) {
      const work = works.get(queue);
      const failures = lost.map((row) => failureOf(row, holders.get(String(row.id)), leaseSeconds));
      if (work) await board.fail(sql, queue, work, failures);
    }
    return rows.length;
  });
}

function holdings({ document, held }: Row): [string, WorkerDescription][] {
  const worker = readWorker(document);
  return worker && Array.isArray(held) ? held.map((id) => [String(id), worker]) : [];
}

function failureOf(row: Row, worker: WorkerDescription | undefined, leaseSeconds: number): Failure {
  const retryCount = Number(row.retry_count);
  const name = worker ? `the worker on ${worker.host} (pid ${worker.pid})` : 'its worker';
  return {
    id: String(row.id),
    retryCount,
    job: readJobData(row.data),
    attempt: attemptOf({ retryCount, retryLimit: Number(row.retry_limit) }),
    number: -Number(row.priority),
    reason: `${name} was not heard of for ${leaseSeconds} s`,
  };
}

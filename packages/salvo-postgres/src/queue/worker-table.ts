import type { QueueStatus, WorkerDescription } from 'salvo/kit/queue';
import { z } from 'zod';
import type { Postgres, Sql } from '../postgres/postgres.ts';
import { ORDER_COLUMNS, type OrderRow, orderRow } from './order-table.ts';
import { readWorker } from './work-documents.ts';

/** What a worker sees with one statement. */
export interface SeenQueue {
  orders: SeenOrder[];
  /** How many workers there are, this one included. */
  workers: number;
  /** The versions of the tables. */
  tables: ReadonlyMap<string, number>;
  /** Nobody has looked for lost jobs lately. */
  isWatchDue: boolean;
}

interface SeenOrder extends OrderRow {
  /** Whether a job of it can be taken, whatever its labels. */
  hasWaiting: boolean;
}

/** Ordered as the index is, so that the jobs that have ended are not read. */
const HAS_WAITING = `coalesce((SELECT true FROM salvo.jobs
    WHERE jobs.kind = work_orders.kind AND jobs.id = work_orders.id AND state = 'waiting' AND start_after <= now()
    ORDER BY labels, position LIMIT 1), false) AS has_waiting`;
/** One row without a document if there is no order. */
const LOOK = `SELECT workers, tables, is_watch_due, ${ORDER_COLUMNS}, ${HAS_WAITING} FROM (SELECT
      (SELECT count(*) FROM salvo.workers WHERE expires_at > now()) AS workers,
      (SELECT json_object_agg(name, version) FROM salvo.schema_parts) AS tables,
      (SELECT looked_at < now() - $1 * interval '1 ms' FROM salvo.work_watch) AS is_watch_due
    ) AS about LEFT JOIN salvo.work_orders ON true ORDER BY created_at, kind, id`;

/** `watchMs`: how often somebody should look for lost jobs. */
export async function lookAtQueue(sql: Sql, watchMs: number): Promise<SeenQueue> {
  return readSeen(await sql.query(LOOK, [watchMs], 'look-at-queue'));
}

/** Says that the worker is there, for `expiresMs` from now on, and looks. */
export async function announceWorker(
  sql: Sql,
  worker: WorkerDescription,
  { watchMs, expiresMs }: { watchMs: number; expiresMs: number },
): Promise<SeenQueue> {
  const rows = await sql.query(
    `WITH announced AS (
       INSERT INTO salvo.workers (worker_id, document, seen_at, expires_at)
       VALUES ($2, $3, now(), now() + $4 * interval '1 ms')
       ON CONFLICT (worker_id) DO UPDATE
       SET seen_at = excluded.seen_at, document = excluded.document, expires_at = excluded.expires_at
     ) ${LOOK}`,
    [watchMs, worker.worker_id, JSON.stringify(worker), expiresMs],
    'announce-worker',
  );
  return readSeen(rows);
}

/** Those that are expected to be there. */
export async function readWorkers(postgres: Postgres): Promise<QueueStatus['workers']> {
  const rows = await postgres.query(
    `SELECT document, extract(epoch FROM now() - seen_at)::float8 AS idle_s FROM salvo.workers
     WHERE expires_at > now() ORDER BY worker_id`,
  );
  return rows.flatMap(({ document, idle_s }) => {
    const worker = readWorker(document);
    return worker ? [{ ...worker, idle_s: Math.max(0, Number(idle_s)) }] : [];
  });
}

const aboutSchema = z.object({
  workers: z.coerce.number(),
  tables: z.record(z.string(), z.number()),
  is_watch_due: z.boolean(),
});

function readSeen(rows: Awaited<ReturnType<Sql['query']>>): SeenQueue {
  const { workers, tables, is_watch_due: isWatchDue } = aboutSchema.parse(rows[0]);
  const orders = rows.flatMap((row) => {
    const order = row.document === null ? null : orderRow(row);
    return order ? [{ ...order, hasWaiting: row.has_waiting === true }] : [];
  });
  return { orders, workers: Math.max(workers, 1), tables: new Map(Object.entries(tables)), isWatchDue };
}

import type { QueueStatus, WorkQueue } from 'salvo/kit/queue';
import { LIMIT_TABLES } from '../limits/limit-table.ts';
import type { SchemaPart } from '../postgres/migrate-schema.ts';
import type { Postgres } from '../postgres/postgres.ts';
import { bundleFiles, deleteUnusedFiles } from './bundle-files.ts';
import { PostgresCoordinator } from './coordinator.ts';
import type { Pace } from './held-jobs.ts';
import { findOrder, ORDER_COLUMNS, openOrder, orderRow, wakeWorkers } from './order-table.ts';
import { WORK_TABLES } from './work-tables.ts';
import { PostgresWorkerSession } from './worker-session.ts';
import { readWorkers } from './worker-table.ts';

export interface WorkQueueOptions {
  postgres: Postgres;
  /** Takes secrets out of reasons and notices. */
  redact?: ((text: string) => string) | undefined;
  /** Tests are in a hurry. */
  pace?: Partial<Pace>;
}

const PACE: Pace = { heartbeatMs: 2500, retryDelaySeconds: 1, ordersMs: 500 };

/** The tables of the queue, and of what its workers share. */
export const QUEUE_PARTS: readonly SchemaPart[] = [WORK_TABLES, LIMIT_TABLES];

/** Jobs in a database that has the tables for them: for any number of coordinators and workers on any machine. */
export function openWorkQueue(options: WorkQueueOptions): WorkQueue {
  const { postgres, redact = (text) => text } = options;
  const pace: Pace = { ...PACE, ...options.pace };
  return {
    coordinate: async (order, { fresh = false } = {}) => {
      const row = await openOrder(postgres, order, { fresh });
      await deleteLeftovers(postgres);
      await wakeWorkers(postgres, 'orders');
      return new PostgresCoordinator({ postgres, row, ...pace });
    },
    orderOf: async (work) => (await findOrder(postgres, work))?.order ?? null,
    join: (worker) => PostgresWorkerSession.join({ postgres, worker, redact, ...pace }),
    workers: async () => (await readWorkers(postgres)).map(({ idle_s: _, ...worker }) => worker),
    status: async () => ({ orders: await orderCounts(postgres), workers: await readWorkers(postgres) }),
    ...bundleFiles(postgres),
  };
}

/** Workers that ended without leaving, and files that nobody needs. */
async function deleteLeftovers(postgres: Postgres): Promise<void> {
  await postgres.query("DELETE FROM salvo.workers WHERE seen_at < now() - interval '1 day'");
  await deleteUnusedFiles(postgres);
}

async function orderCounts(postgres: Postgres): Promise<QueueStatus['orders']> {
  const rows = await postgres.query(
    `SELECT ${ORDER_COLUMNS}, waiting, active, failed FROM salvo.work_orders, LATERAL (
       SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting, count(*) FILTER (WHERE state = 'active') AS active,
         count(*) FILTER (WHERE state = 'failed') AS failed
       FROM salvo.jobs WHERE jobs.kind = work_orders.kind AND jobs.id = work_orders.id AND state <> 'ended') AS counts
     ORDER BY created_at, kind, id`,
  );
  return rows.flatMap((row) => {
    const open = orderRow(row);
    if (!open) return [];
    const { work, salvo_version } = open.order;
    const counts = { waiting: Number(row.waiting), active: Number(row.active), failed: Number(row.failed) };
    return [{ work, salvo_version, has_coordinator: open.hasCoordinator, ...counts }];
  });
}

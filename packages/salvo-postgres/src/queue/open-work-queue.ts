import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueStatus, WorkQueue } from 'salvo/kit/queue';
import { LIMIT_TABLES } from '../limits/limit-table.ts';
import { migrateSchema, missingMigrations, notMigrated } from '../postgres/migrate-schema.ts';
import type { Postgres } from '../postgres/postgres.ts';
import { bundleFiles, deleteUnusedFiles } from './bundle-files.ts';
import { PostgresCoordinator } from './coordinator.ts';
import { endExpiredLeases } from './expired-leases.ts';
import type { Pace } from './held-jobs.ts';
import { findOrder, openOrder, readNews, readOrders, renewLeads, WORK_CHANNEL, wakeWorkers } from './order-table.ts';
import { WORK_TABLES } from './work-tables.ts';
import { PostgresWorkerSession } from './worker-session.ts';
import { readWorkers } from './worker-table.ts';

export interface WorkQueueOptions {
  postgres: Postgres;
  /** Takes secrets out of reasons and notices. */
  redact?: (text: string) => string;
  /** Tests are in a hurry. */
  pace?: Partial<Pace>;
}

const PACE: Pace = { heartbeatMs: 2500, retryDelaySeconds: 1, ordersMs: 500 };

const PARTS = [WORK_TABLES, LIMIT_TABLES];

/** Creates or updates the tables of the queue, and of what its workers share, if that is necessary. */
export async function migrateWorkQueue(postgres: Postgres): Promise<void> {
  await migrateSchema(postgres, PARTS);
}

/** Jobs in a database that has the tables for them: for any number of coordinators and workers on any machine. */
export async function openWorkQueue(options: WorkQueueOptions): Promise<WorkQueue> {
  const { postgres, redact = (text) => text } = options;
  const pace: Pace = { ...PACE, ...options.pace };
  if ((await missingMigrations(postgres, PARTS)) > 0)
    throw notMigrated(postgres.place, 'has no tables for jobs of this version of Salvo');
  const sessions = new Set<PostgresWorkerSession>();
  const coordinators = new Set<string>();
  const closing = new AbortController();
  let listener: Promise<AsyncDisposable | null> | undefined;

  async function renew(): Promise<void> {
    for (const session of sessions) await session.renew();
  }

  async function look(): Promise<void> {
    let isWatchDue = coordinators.size > 0;
    for (const session of sessions) isWatchDue = (await session.signOfLife()) || isWatchDue;
    if (coordinators.size > 0) await renewLeads(postgres, [...coordinators]);
    if (isWatchDue) await endExpiredLeases({ postgres, ...pace });
  }

  async function repeat(beat: () => Promise<void>): Promise<void> {
    while (!closing.signal.aborted) {
      // A database that cannot be reached is tried again with the next heartbeat.
      await beat().catch(() => {});
      await sleep(pace.heartbeatMs, null, { signal: closing.signal, ref: false }).catch(() => {});
    }
  }
  // Two loops: on a busy machine, a lease must not be lost because many other statements come before its renewal.
  const heartbeats = Promise.all([repeat(renew), repeat(look)]);

  function hear(payload: string): void {
    for (const session of sessions) session.heard(readNews(payload));
  }

  return {
    coordinate: async (order, { fresh = false } = {}) => {
      const coordinatorId = randomUUID();
      const row = await openOrder(postgres, order, { fresh, coordinatorId });
      coordinators.add(coordinatorId);
      await deleteLeftovers(postgres);
      await wakeWorkers(postgres, 'orders');
      const onLeave = () => coordinators.delete(coordinatorId);
      return new PostgresCoordinator({ postgres, row, coordinatorId, onLeave });
    },
    orderOf: async (work) => (await findOrder(postgres, work))?.order ?? null,
    join: async (worker) => {
      // A pooler may refuse to listen: then workers find new jobs by looking for them.
      listener ??= postgres.listen(WORK_CHANNEL, hear).catch(() => null);
      await listener;
      const onLeave = (): void => {
        sessions.delete(session);
      };
      const session = await PostgresWorkerSession.join({ postgres, worker, redact, ...pace, onLeave });
      sessions.add(session);
      return session;
    },
    workers: async () => (await readWorkers(postgres)).map(({ idle_s: _, ...worker }) => worker),
    status: async () => ({ orders: await orderCounts(postgres), workers: await readWorkers(postgres) }),
    ...bundleFiles(postgres),
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await heartbeats;
      for (const session of sessions) await session[Symbol.asyncDispose]();
      await postgres.query(
        'UPDATE salvo.work_orders SET coordinator_id = NULL, coordinated_at = NULL WHERE coordinator_id = ANY($1)',
        [[...coordinators]],
      );
      await (await listener)?.[Symbol.asyncDispose]();
    },
  };
}

/** Workers that ended without leaving, and files that nobody needs. */
async function deleteLeftovers(postgres: Postgres): Promise<void> {
  await postgres.query("DELETE FROM salvo.workers WHERE seen_at < now() - interval '1 day'");
  await deleteUnusedFiles(postgres);
}

async function orderCounts(postgres: Postgres): Promise<QueueStatus['orders']> {
  const counts = await postgres.query(
    `SELECT kind, id, count(*) FILTER (WHERE state = 'waiting') AS waiting,
       count(*) FILTER (WHERE state = 'active') AS active, count(*) FILTER (WHERE state = 'failed') AS failed
     FROM salvo.jobs WHERE state <> 'ended' GROUP BY kind, id`,
  );
  return (await readOrders(postgres)).map(({ order: { work, salvo_version }, hasCoordinator }) => {
    const found = counts.find(({ kind, id }) => kind === work.kind && id === work.id);
    return {
      work,
      salvo_version,
      has_coordinator: hasCoordinator,
      waiting: Number(found?.waiting ?? 0),
      active: Number(found?.active ?? 0),
      failed: Number(found?.failed ?? 0),
    };
  });
}

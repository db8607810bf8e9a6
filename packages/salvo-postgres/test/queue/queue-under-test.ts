import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../../test/postgres.ts';
import type { JobLease, WorkerSession, WorkQueue } from '../../../salvo/src/queue/work-queue.ts';
import { openPostgres, type Postgres } from '../../src/postgres/postgres.ts';
import { holdLeases, type LeaseToHold } from '../../src/queue/job-table.ts';
import { migrateWorkQueue, openWorkQueue } from '../../src/queue/open-work-queue.ts';
import { createLoser, type Loser } from './lost-worker.ts';
import { sampleWorker } from './sample-order.ts';

/** A failed job is tried again at once. */
export const PACE = { heartbeatMs: 100, retryDelaySeconds: 0, ordersMs: 0 };

/** One queue, as two processes see it, for all tests of a file: it takes a while to open one. Each begins without orders. */
export interface QueueUnderTest {
  database: TestDatabase;
  postgres: Postgres;
  /** For coordinators. */
  client: WorkQueue;
  /** For workers. */
  workplace: WorkQueue;
  /** A worker that leaves after the test. */
  join(): Promise<WorkerSession>;
  /** As if the worker had not been heard of for longer than its lease. */
  lose: Loser['lose'];
  loseAll: Loser['loseAll'];
  /** Whether a store may write with this lease. `ends`: the write ends the job. */
  holds(lease: JobLease, options?: { ends: boolean }): Promise<boolean>;
}

/** Its parts are there once the tests have begun. */
export function queueUnderTest(): QueueUnderTest {
  const opened: Partial<QueueUnderTest> & { loser?: Loser } = {};
  const sessions: WorkerSession[] = [];
  beforeAll(async () => {
    const database = await createDatabase();
    const postgres = await openPostgres({ url: database.url, connections: 6 });
    await migrateWorkQueue(postgres);
    const [client, workplace] = [
      await openWorkQueue({ postgres, pace: PACE }),
      await openWorkQueue({ postgres, pace: PACE }),
    ];
    Object.assign(opened, { database, postgres, client, workplace, loser: await createLoser(database) });
  });
  beforeEach(async () => {
    // What a test left that failed.
    await there(opened.database).query('DELETE FROM salvo.work_orders; DELETE FROM salvo.workers');
  });
  afterEach(async () => {
    for (const session of sessions.splice(0)) await session[Symbol.asyncDispose]();
  });
  afterAll(async () => {
    await opened.workplace?.[Symbol.asyncDispose]();
    await opened.client?.[Symbol.asyncDispose]();
    await opened.loser?.[Symbol.asyncDispose]();
    await opened.postgres?.close();
    await opened.database?.[Symbol.asyncDispose]();
  });
  return {
    get database() {
      return there(opened.database);
    },
    get postgres() {
      return there(opened.postgres);
    },
    get client() {
      return there(opened.client);
    },
    get workplace() {
      return there(opened.workplace);
    },
    async join() {
      const session = await there(opened.workplace).join(sampleWorker());
      sessions.push(session);
      return session;
    },
    lose: (workerId) => there(opened.loser).lose(workerId),
    loseAll: () => there(opened.loser).loseAll(),
    holds: (lease, { ends } = { ends: false }) => isHeld(there(opened.postgres), { lease, ends }),
  };
}

function there<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('The queue is opened when the tests begin.');
  return part;
}

/** As a store asks when it writes. */
export async function isHeld(connection: Postgres, held: LeaseToHold): Promise<boolean> {
  const rows = await connection.query(holdLeases([held], { waits: true }));
  if (rows.length > 0 && held.ends) held.lease.hasEnded = true;
  return rows.length > 0;
}

import type { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, expect } from 'vitest';
import { createJobBoard, type JobBoard } from '../../src/queue/pgboss/job-board.ts';
import { endLostAttempts } from '../../src/queue/pgboss/lost-jobs.ts';
import { migrateWorkQueue, openWorkQueue } from '../../src/queue/pgboss/open-work-queue.ts';
import { startBoss } from '../../src/queue/pgboss/start-boss.ts';
import { openPostgres, type Postgres } from '../../src/queue/postgres/postgres.ts';
import { createDatabase, type TestDatabase } from '../postgres.ts';
import { workQueueContract } from './work-queue-contract.ts';

let database: TestDatabase;
let postgres: Postgres;
let boss: PgBoss;
let board: JobBoard;
beforeAll(async () => {
  database = await createDatabase();
  postgres = await openPostgres({ url: database.url, connections: 6 });
  await migrateWorkQueue(postgres);
  boss = await startBoss(postgres);
  board = createJobBoard({ boss, retryDelaySeconds: 0, redact: (text) => text });
});
afterAll(async () => {
  await boss.stop({ graceful: false });
  await postgres.close();
  await database[Symbol.asyncDispose]();
});

/** The seat is alive and may be heard of in between: then once more. */
async function loseJobsOf(workerId: string): Promise<void> {
  const heldBy = () => database.query('SELECT unnest(held) AS id FROM salvo.workers WHERE worker_id = $1', [workerId]);
  await expect.poll(heldBy).not.toEqual([]);
  const held = (await heldBy()).map(({ id }) => id);
  for (let left = held; left.length > 0; ) {
    await database.query(`UPDATE salvo_jobs.job SET heartbeat_on = now() - interval '1 min' WHERE id = ANY($1)`, [
      left,
    ]);
    await database.query(`UPDATE salvo.work_watch SET since = now() - interval '1 min'`);
    await endLostAttempts({ postgres, board, leaseSeconds: 10, everySeconds: 0 });
    const active = `SELECT id FROM salvo_jobs.job WHERE id = ANY($1) AND state = 'active'`;
    left = (await database.query(active, [left])).map(({ id }) => id);
  }
}

const pace = { beatMs: 100, retryDelaySeconds: 0, ordersMs: 0 };

workQueueContract('a queue of pg-boss', async () => {
  const lead = await openWorkQueue({ postgres, pace });
  const work = await openWorkQueue({ postgres, pace });
  return {
    lead,
    work,
    lose: loseJobsOf,
    transaction: (write) => postgres.transaction(write),
    async [Symbol.asyncDispose]() {
      await work[Symbol.asyncDispose]();
      await lead[Symbol.asyncDispose]();
    },
  };
});

import { expect } from 'vitest';
import type { TestDatabase } from '../../../../test/postgres.ts';
import { openPostgres } from '../../src/postgres/postgres.ts';
import { endExpiredLeases } from '../../src/queue/expired-leases.ts';
import { SOON } from './sample-order.ts';

export interface Loser extends AsyncDisposable {
  lose(workerId: string): Promise<void>;
  loseAll(): Promise<void>;
}

/**
 * Makes it look as if a worker had not been heard of for a minute, so that nobody has to wait for that long. It has one
 * connection, so what waits for a second one within a transaction would wait for ever.
 */
export async function createLoser(database: TestDatabase): Promise<Loser> {
  const postgres = await openPostgres({ url: database.url, connections: 1 });
  const heldBy = (id: string) =>
    postgres.query(`SELECT job_id AS id FROM salvo.jobs WHERE worker_id = $1 AND state = 'active'`, [id]);
  async function loseJobs(ids: unknown[]): Promise<void> {
    // The worker may be alive, and be heard of in between: then once more.
    for (let left = ids; left.length > 0; ) {
      await postgres.query(
        `UPDATE salvo.jobs SET renewed_at = now() - interval '1 min' WHERE job_id = ANY($1) AND state = 'active'`,
        [left],
      );
      await postgres.query(`UPDATE salvo.work_watch SET since = now() - interval '1 min', looked_at = now()`);
      await endExpiredLeases({ postgres, heartbeatMs: 0, retryDelaySeconds: 0 });
      const active = `SELECT job_id AS id FROM salvo.jobs WHERE job_id = ANY($1) AND state = 'active'`;
      left = (await postgres.query(active, [left])).map((row) => row.id);
    }
  }

  return {
    async lose(id) {
      await expect.poll(() => heldBy(id), SOON).not.toEqual([]);
      await loseJobs((await heldBy(id)).map((row) => row.id));
    },
    async loseAll() {
      const active = await postgres.query(`SELECT job_id AS id FROM salvo.jobs WHERE state = 'active'`);
      await loseJobs(active.map((row) => row.id));
    },
    async [Symbol.asyncDispose]() {
      await postgres.close();
    },
  };
}

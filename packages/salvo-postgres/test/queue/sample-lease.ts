import { randomUUID } from 'node:crypto';
import type { JobLease } from '../../../salvo/src/queue/work-queue.ts';

/** A job that a worker has leased, in a database with the tables of the queue. */
export interface SampleLease extends JobLease {
  state(): Promise<unknown>;
  /** Another worker has it from now on. */
  lose(): Promise<void>;
}

export async function sampleLease(database: {
  query(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
}): Promise<SampleLease> {
  const jobId = randomUUID();
  await database.query(
    `WITH made AS (
       INSERT INTO salvo.work_orders (kind, id, generation, document) VALUES ('run', 'of-leases', 1, '') ON CONFLICT DO NOTHING
     )
     INSERT INTO salvo.jobs (job_id, kind, id, labels, position, group_id, document, state, attempt, token)
     VALUES ($1, 'run', 'of-leases', '', 0, '', '', 'active', 1, 1)`,
    [jobId],
  );
  return {
    jobId,
    token: 1,
    hasEnded: false,
    state: async () => (await database.query('SELECT state FROM salvo.jobs WHERE job_id = $1', [jobId]))[0]?.state,
    lose: async () => {
      await database.query('UPDATE salvo.jobs SET token = token + 1 WHERE job_id = $1', [jobId]);
    },
  };
}

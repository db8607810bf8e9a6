import { LEASE_MS, type Notice, type Work } from 'salvo/kit/queue';
import type { Postgres } from '../postgres/postgres.ts';
import { failJobs } from './job-table.ts';
import { insertNotices } from './notice-table.ts';
import { readWorker } from './work-documents.ts';

/**
 * Ends the attempts of workers that were not heard of for the time of a lease, unless the database could only be reached
 * after `until`: then its workers could not be heard of.
 */
export async function endExpiredLeases(
  postgres: Postgres,
  work: Work,
  { retryDelaySeconds, until }: { retryDelaySeconds: number; until: number },
): Promise<void> {
  await postgres.transaction(async (sql) => {
    if (Date.now() > until) return;
    const givenUp = await failJobs(sql, work, 'expired', retryDelaySeconds);
    if (givenUp.length === 0) return;
    const rows = await sql.query('SELECT worker_id, document FROM salvo.workers WHERE worker_id = ANY($1)', [
      givenUp.map(({ workerId }) => workerId),
    ]);
    const workers = new Map(rows.map(({ worker_id, document }) => [String(worker_id), readWorker(document)]));
    const notices = givenUp.map(({ job, attempt, workerId }): Notice => {
      const worker = workers.get(workerId);
      const name = worker ? `the worker on ${worker.host} (pid ${worker.pid})` : 'its worker';
      const message = `${name} was not heard of for ${LEASE_MS / 1000} s`;
      return { type: 'failed', job, attempts: attempt, message };
    });
    await insertNotices(sql, work, notices);
  });
}

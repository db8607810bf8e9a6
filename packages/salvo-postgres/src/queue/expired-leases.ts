import { LEASE_MS, type Work } from 'salvo/kit/queue';
import type { Postgres } from '../postgres/postgres.ts';
import type { Pace } from './held-jobs.ts';
import { failJobs } from './job-table.ts';
import { readWorker } from './work-documents.ts';
import { insertFailures } from './work-reports.ts';

interface ExpiryOptions extends Omit<Pace, 'ordersMs'> {
  postgres: Postgres;
}

const LEASE_SECONDS = LEASE_MS / 1000;

/**
 * Ends the attempts of workers that were not heard of for the time of a lease. Every process with a queue calls this
 * regularly, and one of them does it for all.
 */
export async function endExpiredLeases(options: ExpiryOptions): Promise<void> {
  const { postgres, heartbeatMs } = options;
  // If no process looked for a while, the database could not be reached: its workers get time to be heard of again.
  const [watch] = await postgres.query(
    `UPDATE salvo.work_watch SET
       since = CASE WHEN looked_at < now() - $1 / 2 * interval '1 s' THEN now() ELSE since END,
       looked_at = now()
     WHERE looked_at < now() - $2 * interval '1 s'
     RETURNING since < now() - $1 / 2 * interval '1 s' AS is_steady`,
    [LEASE_SECONDS, (heartbeatMs * 0.8) / 1000],
  );
  if (watch?.is_steady !== true) return;
  const rows = await postgres.query(
    `SELECT kind, id FROM salvo.work_orders WHERE EXISTS (
       SELECT FROM salvo.jobs WHERE jobs.kind = work_orders.kind AND jobs.id = work_orders.id AND state = 'active'
         AND renewed_at < now() - $1 * interval '1 s')`,
    [LEASE_SECONDS],
  );
  for (const { kind, id } of rows) await endExpired(options, { kind: String(kind), id: String(id) });
}

async function endExpired({ postgres, retryDelaySeconds }: ExpiryOptions, work: Work): Promise<void> {
  await postgres.transaction(async (sql) => {
    const givenUp = await failJobs(sql, work, { silentSeconds: LEASE_SECONDS }, retryDelaySeconds);
    if (givenUp.length === 0) return;
    const rows = await sql.query('SELECT worker_id, document FROM salvo.workers WHERE worker_id = ANY($1)', [
      givenUp.map(({ workerId }) => workerId),
    ]);
    const workers = new Map(rows.map(({ worker_id, document }) => [String(worker_id), readWorker(document)]));
    const failures = givenUp.map((job) => {
      const worker = workers.get(job.workerId);
      const name = worker ? `the worker on ${worker.host} (pid ${worker.pid})` : 'its worker';
      return { ...job, reason: `${name} was not heard of for ${LEASE_SECONDS} s` };
    });
    await insertFailures(sql, work, failures);
  });
}

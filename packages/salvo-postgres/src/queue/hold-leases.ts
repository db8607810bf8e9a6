import pg from 'pg';
import type { JobLease } from 'salvo/kit/queue';
import { jobOfLease } from './job-table.ts';

/** A lease that a write depends on. */
export interface LeaseToHold {
  lease: JobLease;
  /** Whether the write ends the job. */
  ends: boolean;
}

/**
 * A statement that returns the ids of the jobs that are still leased with these tokens, or that were ended with them: a
 * write may be repeated, because it is unknown whether a transaction was committed whose connection was lost at its
 * end. It ends those that it should, and keeps the others as they are until the end of the transaction. It has no
 * parameters, so that it can be sent together with the begin of the transaction.
 *
 * Without `waits`, jobs that another transaction has locked are left out: transactions that lock several jobs could
 * wait for each other.
 */
export function holdLeases(leases: readonly LeaseToHold[], { waits }: { waits: boolean }): string {
  const values = leases.map(
    ({ lease: { jobId, token }, ends }) => `(${pg.escapeLiteral(jobId)}::uuid, ${token}, ${ends})`,
  );
  return `WITH held AS (
      SELECT job_id, ends FROM (VALUES ${values.join(', ')}) AS lease (job_id, token, ends),
        ${jobOfLease("state IN ('active', 'ended')", waits ? 'FOR UPDATE' : 'FOR UPDATE SKIP LOCKED')}
    ), ended AS (
      UPDATE salvo.jobs SET state = 'ended' FROM held WHERE jobs.job_id = held.job_id AND ends
    )
    SELECT job_id FROM held`;
}

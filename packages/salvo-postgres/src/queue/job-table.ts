import { createHash } from 'node:crypto';
import pg from 'pg';
import { type Job, type JobLease, MOST_ATTEMPTS, type Work } from 'salvo/kit/queue';
import type { Row, Sql } from '../postgres/postgres.ts';
import { readGroups, readJob } from './work-documents.ts';

/** A job that a worker has taken. */
export interface LeasedJob extends JobLease {
  job: Job;
  /** 1 for the first attempt. One that was given back does not count. */
  attempt: number;
}

/** The jobs with the same labels of one opening of an order. */
export interface JobList {
  work: Work;
  generation: number;
  labels: readonly string[];
}

/** Jobs that were added before stay as they are. Nothing is added to an order that was closed or opened afresh. */
export async function insertJobs(
  sql: Sql,
  { work, generation, labels }: JobList,
  jobs: readonly { job: Job; position: number }[],
): Promise<void> {
  await sql.query(
    `WITH open AS (
       SELECT kind, id FROM salvo.work_orders WHERE kind = $1 AND id = $2 AND generation = $3 FOR KEY SHARE
     )
     INSERT INTO salvo.jobs (job_id, kind, id, labels, position, group_id, document)
     SELECT job_id, kind, id, $4, position, group_id, document
     FROM open, unnest($5::uuid[], $6::bigint[], $7::text[], $8::text[]) AS job (job_id, position, group_id, document)
     ON CONFLICT DO NOTHING`,
    [
      ...[work.kind, work.id, generation, labelsId(labels)],
      jobs.map(({ job }) => jobId(work, generation, job.key)),
      jobs.map(({ position }) => position),
      jobs.map(({ job }) => shortHash(job.group)),
      jobs.map(({ job }) => JSON.stringify(job)),
    ],
  );
}

/** Leases the next jobs to the worker. Those that another worker is about to take are left out. */
export async function leaseJobs(
  sql: Sql,
  { work, generation, labels }: JobList,
  { workerId, limit }: { workerId: string; limit: number },
): Promise<LeasedJob[]> {
  const rows = await sql.query(
    `WITH next AS (
       SELECT job_id FROM salvo.jobs
       WHERE kind = $1 AND id = $2 AND state = 'waiting' AND labels = $3 AND start_after <= now()
         AND EXISTS (SELECT FROM salvo.work_orders WHERE kind = $1 AND id = $2 AND generation = $6 AND stops = 0)
       ORDER BY position LIMIT $4 FOR UPDATE SKIP LOCKED
     )
     UPDATE salvo.jobs SET state = 'active', token = token + 1, attempt = attempt + 1, worker_id = $5, renewed_at = now()
     FROM next WHERE jobs.job_id = next.job_id
     RETURNING jobs.job_id, token, attempt, position, document`,
    [work.kind, work.id, labelsId(labels), limit, workerId, generation],
    'lease-jobs',
  );
  return rows.toSorted((one, other) => Number(one.position) - Number(other.position)).map(leasedJob);
}

/**
 * Renews the leases, and returns the ids of the jobs that are still leased with these tokens, each with whether it was
 * renewed. A job that a transaction has locked is not waited for, so that this can't deadlock: it is renewed with the next
 * heartbeat.
 */
export async function renewLeases(sql: Sql, leases: readonly JobLease[]): Promise<Map<string, boolean>> {
  if (leases.length === 0) return new Map();
  const rows = await sql.query(
    `WITH own AS (
       SELECT job_id, token FROM unnest($1::uuid[], $2::integer[]) AS lease (job_id, token),
         ${jobOfLease("state = 'active'", 'OFFSET 0')}
     ), free AS (
       SELECT job_id FROM own AS lease, ${jobOfLease("state = 'active'", 'FOR UPDATE SKIP LOCKED')}
     ), renewed AS (
       UPDATE salvo.jobs SET renewed_at = now() FROM free WHERE jobs.job_id = free.job_id
     )
     SELECT job_id, job_id IN (SELECT job_id FROM free) AS is_renewed FROM own`,
    columnsOf(leases),
    'renew-leases',
  );
  return new Map(rows.map(({ job_id, is_renewed }) => [String(job_id), is_renewed === true]));
}

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

/** Ends a job without a result. Has no effect on one that is another worker's by now. */
export async function endJob(sql: Sql, { jobId: id, token }: JobLease): Promise<void> {
  await sql.query(
    `UPDATE salvo.jobs SET state = 'ended' WHERE job_id = $1 AND token = $2 AND state = 'active'`,
    [id, token],
    'end-job',
  );
}

/**
 * The job of each row of `lease`, for a FROM clause. A subquery with such an end is a plan of its own, which finds the job
 * by its id: the statistics are of the time when all jobs were waiting, so that it would seem faster to read all jobs
 * that are in another state.
 */
function jobOfLease(condition: string, end: 'FOR UPDATE' | 'FOR UPDATE SKIP LOCKED' | 'OFFSET 0'): string {
  return `LATERAL (SELECT FROM salvo.jobs
    WHERE jobs.job_id = lease.job_id AND jobs.token = lease.token AND ${condition} ${end}) AS job`;
}

/** Others may take the jobs at once, and no attempt is counted. */
export async function giveBackJobs(sql: Sql, work: Work, leases: readonly JobLease[]): Promise<void> {
  const pointless = await lockPointless(sql, work);
  if (!pointless) return;
  await sql.query(
    `UPDATE salvo.jobs SET token = jobs.token + 1, attempt = attempt - 1, start_after = now(),
       state = CASE WHEN group_id = ANY($3) THEN 'ended' ELSE 'waiting' END
     FROM unnest($1::uuid[], $2::integer[]) AS lease (job_id, token)
     WHERE jobs.job_id = lease.job_id AND jobs.token = lease.token AND state = 'active'`,
    [...columnsOf(leases), pointless],
  );
}

/** One attempt, or all of an order whose lease was not renewed for some time. */
type FailedAttempts = { lease: JobLease } | { silentSeconds: number };

/**
 * The jobs are tried again, given up after `MOST_ATTEMPTS`, or ended if their results are no longer needed. Returns
 * those that are given up, with the worker that had them.
 */
export async function failJobs(
  sql: Sql,
  work: Work,
  failed: FailedAttempts,
  retryDelaySeconds: number,
): Promise<(LeasedJob & { workerId: string })[]> {
  const isExpiry = 'silentSeconds' in failed;
  // The next heartbeat looks again: a heartbeat that waits renews nothing.
  const pointless = await lockPointless(sql, work, { waits: !isExpiry });
  if (!pointless) return [];
  const [which, values] = !isExpiry
    ? ['job_id = $3 AND token = $4', [failed.lease.jobId, failed.lease.token]]
    : [
        // A worker that is writing has locked its jobs. It is heard of, or the server ends its transaction.
        `job_id IN (SELECT job_id FROM salvo.jobs WHERE kind = $3 AND id = $4 AND state = 'active'
             AND renewed_at < now() - $5 * interval '1 s' FOR UPDATE SKIP LOCKED)`,
        [work.kind, work.id, failed.silentSeconds],
      ];
  const rows = await sql.query(
    `UPDATE salvo.jobs SET token = token + 1, start_after = now() + $2 * interval '1 s',
       state = CASE WHEN group_id = ANY($1) THEN 'ended' WHEN attempt < ${MOST_ATTEMPTS} THEN 'waiting' ELSE 'failed' END
     WHERE ${which} AND state = 'active'
     RETURNING job_id, token, attempt, document, state, worker_id`,
    [pointless, retryDelaySeconds, ...values],
  );
  return rows
    .filter(({ state }) => state === 'failed')
    .map((row) => ({ ...leasedJob(row), workerId: String(row.worker_id) }));
}

/** Ends the waiting jobs of these groups. Inside of a transaction that has locked the order. */
export async function cancelJobs(sql: Sql, { kind, id }: Work, groups: readonly string[]): Promise<void> {
  await sql.query(
    `UPDATE salvo.jobs SET state = 'ended', token = token + 1
     WHERE kind = $1 AND id = $2 AND state = 'waiting' AND group_id = ANY($3)`,
    [kind, id, groups.map(shortHash)],
  );
}

export async function countJobs(sql: Sql, { kind, id }: Work) {
  const [row] = await sql.query(
    `SELECT count(*) FILTER (WHERE state = 'waiting') AS waiting,
       count(*) FILTER (WHERE state = 'waiting' AND attempt > 0) AS again,
       count(*) FILTER (WHERE state = 'active') AS active
     FROM salvo.jobs WHERE kind = $1 AND id = $2 AND state IN ('waiting', 'active')`,
    [kind, id],
    'count-jobs',
  );
  return { waiting: Number(row?.waiting), again: Number(row?.again), active: Number(row?.active) };
}

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/**
 * The groups of which no job is worth performing, as they are in the table; null if the order was closed, or without
 * `waits` if it is locked by another transaction. Locked, so
 * that a group cannot become pointless between this look and what follows, and so that the numbers of failures grow in
 * the order in which a coordinator can see them.
 */
async function lockPointless(sql: Sql, { kind, id }: Work, { waits } = { waits: true }): Promise<string[] | null> {
  const [row] = await sql.query(
    `SELECT pointless FROM salvo.work_orders WHERE kind = $1 AND id = $2 FOR NO KEY UPDATE ${waits ? '' : 'SKIP LOCKED'}`,
    [kind, id],
  );
  return row ? readGroups(row.pointless).map(shortHash) : null;
}

function leasedJob({ job_id, token, attempt, document }: Row): LeasedJob {
  return {
    jobId: String(job_id),
    token: Number(token),
    hasEnded: false,
    attempt: Number(attempt),
    job: readJob(document),
  };
}

function columnsOf(leases: readonly JobLease[]): [string[], number[]] {
  return [leases.map(({ jobId: id }) => id), leases.map(({ token }) => token)];
}

/** One text for a set of labels: jobs with the same labels are next to each other in the index. */
function labelsId(labels: readonly string[]): string {
  return labels.length === 0 ? '' : shortHash(JSON.stringify(labels.toSorted()));
}

/** The same for the same job, so that adding it again has no effect. */
function jobId({ kind, id }: Work, generation: number, key: string): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([kind, id, generation, key]))
    .digest('hex');
  // The digits of version and variant of a UUID that is made of a hash.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

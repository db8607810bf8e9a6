import pg from 'pg';
import type { JobInsert, PgBoss } from 'pg-boss';
import { MOST_ATTEMPTS, type SqlRunner, type Work } from 'salvo/kit/queue';
import { errorCode, errorMessage } from 'salvo/kit/text';
import { z } from 'zod';
import type { Sql } from '../postgres/postgres.ts';
import { type Attempt, type FetchedJob, fetchedJob, groupId } from './job-rows.ts';
import { inTransaction, JOBS_SCHEMA } from './start-boss.ts';
import { readGroups } from './work-documents.ts';

/** An attempt that failed. */
export interface Failure extends FetchedJob {
  reason: string;
}

/** What is done with jobs in pg-boss. A queue that was deleted with its order has none. */
export interface JobBoard {
  createQueue(name: string): Promise<void>;
  deleteQueue(name: string): Promise<void>;
  /** Those that were inserted before stay as they are. */
  insert(queue: string, jobs: readonly JobInsert[]): Promise<void>;
  fetch(queue: string, limit: number): Promise<FetchedJob[]>;
  /** The ids of those that are still under way. Their lease starts again. */
  touch(queue: string, attempts: readonly Attempt[]): Promise<Set<string>>;
  /** Whether the attempt was still under way. */
  complete(queue: string, attempt: Attempt, runner?: SqlRunner): Promise<boolean>;
  /** Whether this attempt has ended the job before. */
  hasCompleted(queue: string, attempt: Attempt, runner: SqlRunner): Promise<boolean>;
  /** The jobs are tried again, given up after several attempts, or ended if their results are no longer needed. */
  fail(sql: Sql, queue: string, work: Work, failures: readonly Failure[]): Promise<void>;
  /** Others may take them at once, and no attempt is counted. */
  giveBack(sql: Sql, queue: string, work: Work, jobs: readonly FetchedJob[]): Promise<void>;
  /** Ends the waiting jobs of these groups. */
  cancel(sql: Sql, queues: readonly string[], groups: readonly string[]): Promise<void>;
}

const responseSchema = z.object({ settled: z.array(z.string()).nullish() });
const REASON_CHARACTERS = 2000;

export function createJobBoard(options: {
  boss: PgBoss;
  retryDelaySeconds: number;
  redact: (text: string) => string;
}): JobBoard {
  const { boss, retryDelaySeconds, redact } = options;

  /** Ends those of pointless groups, and returns the others. */
  async function endPointless<T extends FetchedJob>(
    sql: Sql,
    queue: string,
    { kind, id }: Work,
    jobs: readonly T[],
  ): Promise<T[]> {
    // Locked, so that a group cannot become pointless between this look and what follows, and so that the numbers of
    // failures grow in the order in which a lead can see them.
    const [row] = await sql.query('SELECT pointless FROM salvo.work_orders WHERE kind = $1 AND id = $2 FOR UPDATE', [
      kind,
      id,
    ]);
    // The order was closed, and its jobs are about to be deleted.
    if (!row) return [];
    const pointless = new Set(readGroups(row.pointless));
    const ended = jobs.filter(({ job }) => pointless.has(job.group));
    if (ended.length > 0) await inTransaction(sql, () => boss.complete(queue, ended));
    return jobs.filter(({ job }) => !pointless.has(job.group));
  }

  async function fail(sql: Sql, queue: string, work: Work, failures: readonly Failure[]): Promise<void> {
    const failed = await endPointless(sql, queue, work, failures);
    if (failed.length === 0) return;
    const settled = settledIn(await inTransaction(sql, () => boss.fail(queue, failed)));
    const givenUp = failed.filter((failure) => settled.has(failure.id) && failure.attempt >= MOST_ATTEMPTS);
    if (givenUp.length === 0) return;
    const documents = givenUp.map(({ job, attempt, reason }) =>
      JSON.stringify({ job, attempts: attempt, reason: redact(reason).slice(0, REASON_CHARACTERS) }),
    );
    await sql.query(
      `INSERT INTO salvo.work_failures (kind, id, job_id, document)
       SELECT $1, $2, job_id, document FROM unnest($3::uuid[], $4::text[]) AS failure (job_id, document)
       ON CONFLICT DO NOTHING`,
      [work.kind, work.id, givenUp.map(({ id }) => id), documents],
    );
  }

  return {
    createQueue: (name) => boss.createQueue(name, { retryLimit: MOST_ATTEMPTS - 1, retryDelay: retryDelaySeconds }),
    deleteQueue: async (name) => {
      await boss.deleteQueue(name).catch((error: unknown) => {
        // Repeated after a lost answer: pg-boss has no table for a queue that is gone.
        if (errorCode(error) !== NO_NULL) throw error;
      });
    },
    insert: async (queue, jobs) => {
      await boss.insert(queue, [...jobs]);
    },
    fetch: (queue, limit) =>
      unlessGone([], async () => {
        const rows = await boss.fetch<unknown>(queue, { batchSize: limit, includeMetadata: true });
        return rows.map(fetchedJob).toSorted((one, other) => one.number - other.number);
      }),
    touch: (queue, attempts) =>
      unlessGone(new Set<string>(), async () => settledIn(await boss.touch(queue, [...attempts]))),
    complete: (queue, attempt, runner) =>
      unlessGone(false, async () => {
        return settledIn(await inTransaction(runner, () => boss.complete(queue, attempt))).size > 0;
      }),
    hasCompleted: async (queue, { id, retryCount }, runner) => {
      const { rows } = await runner.executeSql(
        `SELECT FROM ${JOBS_SCHEMA}.job WHERE name = $1 AND id = $2 AND retry_count = $3 AND state = 'completed'`,
        [queue, id, retryCount],
      );
      return rows.length > 0;
    },
    fail: (sql, queue, work, failures) => unlessGone(undefined, () => fail(sql, queue, work, failures)),
    giveBack: async (sql, queue, work, jobs) => {
      const useful = await endPointless(sql, queue, work, jobs);
      await sql.query(
        `UPDATE ${JOBS_SCHEMA}.job AS job
         SET state = 'retry', retry_limit = retry_limit + 1, start_after = now(), heartbeat_on = NULL
         FROM unnest($2::uuid[], $3::integer[]) AS held (id, retry_count)
         WHERE job.name = $1 AND job.id = held.id AND job.retry_count = held.retry_count AND job.state = 'active'`,
        [queue, useful.map(({ id }) => id), useful.map(({ retryCount }) => retryCount)],
      );
    },
    cancel: async (sql, queues, groups) => {
      await sql.query(
        `UPDATE ${JOBS_SCHEMA}.job SET state = 'cancelled', completed_on = now()
         WHERE name = ANY($1) AND state < 'active' AND NOT blocked AND group_id = ANY($2)`,
        [queues, groups.map(groupId)],
      );
    },
  };
}

/**
 * Finds a row if the attempt is under way or has ended the job. No other process can change that until the end of the
 * transaction.
 */
export function ownAttempt(queue: string, { id, retryCount }: Attempt): string {
  return `SELECT FROM ${JOBS_SCHEMA}.job WHERE name = ${pg.escapeLiteral(queue)} AND id = ${pg.escapeLiteral(id)}
    AND retry_count = ${retryCount} AND state IN ('active', 'completed') FOR SHARE`;
}

const NO_NULL = '22004';

/** The ids of the jobs that a command had an effect on. */
function settledIn(response: unknown): Set<string> {
  return new Set(responseSchema.parse(response).settled);
}

/** pg-boss throws when it does not find a queue. Ours are gone once their order is closed. */
async function unlessGone<T>(otherwise: T, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (/^Queue \S+ does not exist$/.test(errorMessage(error))) return otherwise;
    throw error;
  }
}

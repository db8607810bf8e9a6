import { type FailedJob, MOST_REPORTED, type Notice, type Opening, type Work } from 'salvo/kit/queue';
import type { Postgres, Row, Sql } from '../postgres/postgres.ts';
import { type LeasedJob, shortHash } from './job-table.ts';
import { readFailure, readNotice } from './work-documents.ts';

const REASON_CHARACTERS = 2000;

/** Reports jobs that were given up. Inside of the transaction that gives them up. */
export async function insertFailures(
  sql: Sql,
  { kind, id }: Work,
  failures: readonly (LeasedJob & { reason: string })[],
): Promise<void> {
  const documents = failures.map(({ job, attempt, reason }) =>
    JSON.stringify({ job, attempts: attempt, reason: reason.slice(0, REASON_CHARACTERS) }),
  );
  await sql.query(
    `INSERT INTO salvo.work_failures (kind, id, job_id, document)
     SELECT $1, $2, job_id, document FROM unnest($3::uuid[], $4::text[]) AS failure (job_id, document)
     ON CONFLICT DO NOTHING`,
    [kind, id, failures.map(({ jobId }) => jobId), documents],
  );
}

/** Reports a notice once. Has no effect if the order was closed or opened afresh. */
export async function insertNotice(
  postgres: Postgres,
  { work: { kind, id }, generation }: Opening,
  notice: Notice,
): Promise<void> {
  const document = JSON.stringify(notice);
  await postgres.transaction(async (sql) => {
    // Locked, so that the numbers of notices grow in the order in which a coordinator can see them.
    const found = await sql.query(
      'SELECT FROM salvo.work_orders WHERE kind = $1 AND id = $2 AND generation = $3 FOR NO KEY UPDATE',
      [kind, id, generation],
    );
    if (found.length === 0) return;
    await sql.query(
      `INSERT INTO salvo.work_notices (kind, id, hash, document) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
      [kind, id, shortHash(document), document],
    );
  });
}

/** What workers have reported about an order. Each report is read once, at most `MOST_REPORTED` at a time. */
export class WorkReports {
  readonly #sql: Sql;
  readonly #work: Work;
  #lastFailure = 0;
  #lastNotice = 0;

  constructor(sql: Sql, work: Work) {
    this.#sql = sql;
    this.#work = work;
  }

  /** The next failed jobs, and how many are left then. */
  async failures(): Promise<{ failed: FailedJob[]; left: number }> {
    const { rows, last, left } = await this.#readSince('work_failures', this.#lastFailure);
    const failed = rows.map(({ document }) => readFailure(document));
    this.#lastFailure = last;
    return { failed, left };
  }

  async notices(): Promise<Notice[]> {
    const { rows, last } = await this.#readSince('work_notices', this.#lastNotice);
    this.#lastNotice = last;
    return rows.flatMap(({ document }) => readNotice(document) ?? []);
  }

  async #readSince(
    table: 'work_failures' | 'work_notices',
    last: number,
  ): Promise<{ rows: Row[]; last: number; left: number }> {
    const rows = await this.#sql.query(
      `SELECT number, document, count(*) OVER () AS found FROM salvo.${table}
       WHERE kind = $1 AND id = $2 AND number > $3 ORDER BY number LIMIT ${MOST_REPORTED}`,
      [this.#work.kind, this.#work.id, last],
    );
    const latest = rows.at(-1);
    return { rows, last: Number(latest?.number ?? last), left: Number(latest?.found ?? 0) - rows.length };
  }
}

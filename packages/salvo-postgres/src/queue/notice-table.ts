import { MOST_NOTICES, type Notice, type Work } from 'salvo/kit/queue';
import type { Sql } from '../postgres/postgres.ts';
import { shortHash } from './job-table.ts';
import { readNotice } from './work-documents.ts';

/**
 * Keeps each notice once. Inside of a transaction that has locked the order, so that the numbers of notices grow in the
 * order in which a coordinator can see them.
 */
export async function insertNotices(sql: Sql, { kind, id }: Work, notices: readonly Notice[]): Promise<void> {
  if (notices.length === 0) return;
  const documents = notices.map((notice) => JSON.stringify(notice));
  await sql.query(
    `INSERT INTO salvo.work_notices (kind, id, hash, document)
     SELECT $1, $2, hash, document FROM unnest($3::text[], $4::text[]) AS notice (hash, document)
     ON CONFLICT DO NOTHING`,
    [kind, id, documents.map(shortHash), documents],
  );
}

/** Notices after the number `last`, that of the latest of them, and how many are left then. */
export async function readNotices(
  sql: Sql,
  { kind, id }: Work,
  last: number,
): Promise<{ notices: Notice[]; last: number; left: number }> {
  const rows = await sql.query(
    `SELECT number, document, count(*) OVER () AS found FROM salvo.work_notices
     WHERE kind = $1 AND id = $2 AND number > $3 ORDER BY number LIMIT ${MOST_NOTICES}`,
    [kind, id, last],
  );
  const latest = rows.at(-1);
  return {
    notices: rows.flatMap(({ document }) => readNotice(document) ?? []),
    last: Number(latest?.number ?? last),
    left: Number(latest?.found ?? 0) - rows.length,
  };
}

import { z } from 'zod';
import { SCHEMA } from '../postgres/migrate-schema.ts';
import type { Selected, StoreDatabase } from './store-database.ts';

const cursorSchema = z.object({
  /** Everything that this snapshot includes has been read. */
  since: z.string(),
  /** Within a list of several pages: up to where it goes, and the last row that was read. */
  page: z.object({ upTo: z.string(), after: z.array(z.union([z.string(), z.number()])) }).nullable(),
});

const PAGE_SIZE = 500;

/**
 * Reads rows that were written since a cursor. Transactions commit in another order than they begin in, so a number or
 * a time would miss the late ones. A cursor is a snapshot of the database instead: it says exactly which transactions
 * it includes. A page has what the next snapshot includes and this one does not. `key`: the columns that make a row
 * unique among those of `id`.
 */
export async function changesSince(
  database: StoreDatabase,
  query: { table: string; owner: string; id: string; key: readonly string[]; columns: string },
  cursor: string,
): Promise<Selected & { cursor: string }> {
  const { table, owner, id, columns } = query;
  const { since, page } = cursorSchema.parse(JSON.parse(cursor));
  const upTo = page?.upTo ?? (await snapshot(database));
  const place = ['written', ...query.key];
  const [, ...last] = page?.after ?? [];
  const types = ['xid8', ...last.map((value) => (typeof value === 'number' ? 'integer' : 'text'))];
  const isLater = `AND (${place.join(', ')}) > (${types.map((type, index) => `$${4 + index}::${type}`).join(', ')})`;
  const { rows, decode } = await database.select(
    `SELECT ${[...query.key, columns].join(', ')}, written::text AS written FROM ${SCHEMA}.${table}
     WHERE ${owner} = $1 AND written >= pg_snapshot_xmin($2::pg_snapshot)
     AND NOT pg_visible_in_snapshot(written, $2::pg_snapshot) AND pg_visible_in_snapshot(written, $3::pg_snapshot)
     ${page ? isLater : ''} ORDER BY ${place.join(', ')} LIMIT ${PAGE_SIZE}`,
    [id, since, upTo, ...(page?.after ?? [])],
    `changes-${table}${page ? '-next' : ''}`,
  );
  const end = rows.length < PAGE_SIZE ? undefined : rows.at(-1);
  const next = end ? { since, page: { upTo, after: place.map((name) => end[name]) } } : { since: upTo, page: null };
  return { rows: rows.map(({ written: _, ...row }) => row), decode, cursor: JSON.stringify(next) };
}

/** Where changes have got to by now. */
export async function changeCursor(database: StoreDatabase): Promise<string> {
  return JSON.stringify({ since: await snapshot(database), page: null });
}

async function snapshot({ postgres }: StoreDatabase): Promise<string> {
  const [row] = await postgres.query('SELECT pg_current_snapshot()::text AS now', [], 'snapshot');
  return String(row?.now);
}

import { z } from 'zod';
import { SCHEMA } from '../postgres/migrate-schema.ts';
import type { Selected, StoreDatabase } from './store-database.ts';

/**
 * Reads rows that were written since a cursor. Transactions commit in another order than they begin in, so a number or
 * a time would miss the late ones. A cursor is a snapshot of the database instead: it says exactly which transactions
 * it includes. A page has what the next snapshot includes and this one does not.
 */
export interface Changes {
  read(cursor: string): Promise<Selected & { cursor: string }>;
}

const cursorSchema = z.object({
  /** Everything that this snapshot includes has been read. */
  since: z.string(),
  /** Within a list of several pages: up to where it goes, and the last row that was read. */
  page: z.object({ upTo: z.string(), after: z.array(z.union([z.string(), z.number()])) }).nullable(),
});

const PAGE_SIZE = 500;

/** `key`: the columns that make a row unique among those of `id`; `isNumber` if they are numbers. */
export function changesOf(
  database: StoreDatabase,
  {
    table,
    owner,
    id,
    key,
    isNumber,
    columns,
  }: {
    table: string;
    owner: string;
    id: string;
    key: readonly string[];
    isNumber: boolean;
    columns: string;
  },
): Changes {
  const place = key.map((_, index) => `$${5 + index}::${isNumber ? 'integer' : 'text'}`).join(', ');
  const first = key.map(() => (isNumber ? -1 : ''));
  return {
    async read(cursor) {
      const { since, page } = cursorSchema.parse(JSON.parse(cursor));
      const upTo = page?.upTo ?? (await snapshot(database));
      const after = page?.after ?? ['0', ...first];
      const { rows, decode } = await database.select(
        `SELECT ${columns}, written::text AS written FROM ${SCHEMA}.${table}
         WHERE ${owner} = $1 AND written >= pg_snapshot_xmin($2::pg_snapshot)
         AND NOT pg_visible_in_snapshot(written, $2::pg_snapshot) AND pg_visible_in_snapshot(written, $3::pg_snapshot)
         AND (written, ${key.join(', ')}) > ($4::xid8, ${place}) ORDER BY written, ${key.join(', ')} LIMIT ${PAGE_SIZE}`,
        [id, since, upTo, ...after],
        `changes-${table}`,
      );
      const last = rows.at(-1);
      const isLast = rows.length < PAGE_SIZE || last === undefined;
      const next = isLast
        ? { since: upTo, page: null }
        : { since, page: { upTo, after: ['written', ...key].map((name) => last[name]) } };
      return { rows: rows.map(({ written: _, ...row }) => row), decode, cursor: JSON.stringify(next) };
    },
  };
}

/** Where changes have got to by now. */
export async function changeCursor(database: StoreDatabase): Promise<string> {
  return JSON.stringify({ since: await snapshot(database), page: null });
}

async function snapshot({ postgres }: StoreDatabase): Promise<string> {
  const [row] = await postgres.query('SELECT pg_current_snapshot()::text AS now', [], 'snapshot');
  return String(row?.now);
}

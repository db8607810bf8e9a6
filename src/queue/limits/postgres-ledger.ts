import { migrateSchema, type SchemaPart } from '../postgres/migrate-schema.ts';
import type { Postgres } from '../postgres/postgres.ts';
import { type Ledger, MEMBER_LEASE_MS } from './ledger.ts';

/** The tables of limits that all workers keep together. */
export const LIMIT_TABLES: SchemaPart = {
  name: 'limits',
  migrations: [
    `CREATE TABLE salvo.limit_pages (
      page text PRIMARY KEY,
      -- Rewritten as a whole, so nothing is gained by jsonb.
      state json NOT NULL,
      is_wanted boolean NOT NULL DEFAULT false
    ) WITH (fillfactor = 50);
    CREATE TABLE salvo.limit_members (
      member text PRIMARY KEY,
      seen_at timestamptz NOT NULL
    ) WITH (fillfactor = 50);`,
  ],
};

const NOTE_MEMBER = `INSERT INTO salvo.limit_members VALUES ($1, clock_timestamp())
  ON CONFLICT (member) DO UPDATE SET seen_at = excluded.seen_at`;

const READ = `WITH noted AS (${NOTE_MEMBER})
  SELECT state, extract(epoch FROM clock_timestamp()) * 1000 AS now_ms, (
    SELECT coalesce(json_agg(member), '[]') FROM salvo.limit_members
    WHERE seen_at > clock_timestamp() - interval '${MEMBER_LEASE_MS} milliseconds'
  ) AS alive
  FROM salvo.limit_pages WHERE page = $2 FOR UPDATE`;

const RENEW = `WITH noted AS (${NOTE_MEMBER})
  SELECT page FROM salvo.limit_pages WHERE page = ANY($2) AND is_wanted`;

/** A ledger in the tables of a database, made if they are missing. */
export async function openPostgresLedger(postgres: Postgres): Promise<Ledger> {
  await migrateSchema(postgres, [LIMIT_TABLES]);
  return {
    change: (page, member, change) =>
      postgres.transaction(async (sql) => {
        let [row] = await sql.query(READ, [member, page], 'salvo-limits-read');
        if (!row) {
          await sql.query(`INSERT INTO salvo.limit_pages VALUES ($1, 'null') ON CONFLICT DO NOTHING`, [page]);
          [row] = await sql.query(READ, [member, page], 'salvo-limits-read');
        }
        const alive = new Set(Array.isArray(row?.alive) ? row.alive : []);
        const { state, isWanted, result } = change({
          state: row?.state ?? null,
          nowMs: Number(row?.now_ms),
          // Its own row is not in the snapshot of the statement that wrote it.
          isAlive: (other) => other === member || alive.has(other),
        });
        if (state !== undefined) {
          await sql.query(
            'UPDATE salvo.limit_pages SET state = $2, is_wanted = $3 WHERE page = $1',
            [page, JSON.stringify(state), isWanted ?? false],
            'salvo-limits-write',
          );
        }
        return result;
      }),
    async renew(member, pages) {
      const rows = await postgres.query(RENEW, [member, pages], 'salvo-limits-renew');
      return rows.map(({ page }) => String(page));
    },
    async remove(page) {
      await postgres.query('DELETE FROM salvo.limit_pages WHERE page = $1', [page]);
      await postgres.query(`DELETE FROM salvo.limit_members WHERE seen_at < clock_timestamp() - interval '1 hour'`);
    },
  };
}

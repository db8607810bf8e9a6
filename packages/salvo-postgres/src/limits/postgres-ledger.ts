import { type Ledger, MEMBER_LEASE_MS } from 'salvo/kit/queue';
import type { SchemaPart } from '../postgres/migrate-schema.ts';
import type { Postgres } from '../postgres/postgres.ts';

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

const LOCK = 'SELECT state FROM salvo.limit_pages WHERE page = $1 FOR UPDATE';

/** A statement of its own: one that waits for a lock does not see what changes meanwhile. */
const READ_MEMBERS = `SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now_ms, (
    SELECT coalesce(json_agg(member), '[]') FROM salvo.limit_members
    WHERE seen_at > clock_timestamp() - interval '${MEMBER_LEASE_MS} milliseconds'
  ) AS alive`;

const RENEW = `WITH noted AS (
    INSERT INTO salvo.limit_members VALUES ($1, clock_timestamp())
    ON CONFLICT (member) DO UPDATE SET seen_at = excluded.seen_at
  )
  SELECT page FROM salvo.limit_pages WHERE page = ANY($2) AND is_wanted`;

/** A ledger in a database that has its tables. */
export function postgresLedger(postgres: Postgres): Ledger {
  return {
    change: (page, change) =>
      postgres.transaction(async (sql) => {
        let [row] = await sql.query(LOCK, [page], 'salvo-limits-lock');
        const isNew = !row;
        if (isNew) {
          await sql.query(`INSERT INTO salvo.limit_pages VALUES ($1, 'null') ON CONFLICT DO NOTHING`, [page]);
          [row] = await sql.query(LOCK, [page], 'salvo-limits-lock');
        }
        const [members] = await sql.query(READ_MEMBERS, [], 'salvo-limits-members');
        const alive = new Set(Array.isArray(members?.alive) ? members.alive : []);
        const { state, isWanted, result } = change({
          state: row?.state ?? null,
          nowMs: Number(members?.now_ms),
          isAlive: (member) => alive.has(member),
        });
        if (state !== undefined) {
          await sql.query(
            'UPDATE salvo.limit_pages SET state = $2, is_wanted = $3 WHERE page = $1',
            [page, JSON.stringify(state), isWanted ?? false],
            'salvo-limits-write',
          );
        } else if (isNew) {
          await sql.query(`DELETE FROM salvo.limit_pages WHERE page = $1 AND state::text = 'null'`, [page]);
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

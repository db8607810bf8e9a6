import pg from 'pg';
import type { LimitTable } from 'salvo/kit/models';
import type { SchemaPart } from '../postgres/migrate-schema.ts';
import type { Postgres, Sql } from '../postgres/postgres.ts';

/** A process without a heartbeat for this time counts as lost. */
export const MEMBER_TIMEOUT_MS = 10_000;

/** The tables of limits that all workers keep together. `page` is the name of a limit. */
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

/** A statement of its own: one that waits for a lock does not see what changes meanwhile. */
const MEMBERS = `SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now_ms, (
    SELECT coalesce(json_agg(member), '[]') FROM salvo.limit_members
    WHERE seen_at > clock_timestamp() - interval '${MEMBER_TIMEOUT_MS} milliseconds'
  ) AS alive`;

const HEARTBEAT = `WITH beat AS (
    INSERT INTO salvo.limit_members VALUES ($1, clock_timestamp())
    ON CONFLICT (member) DO UPDATE SET seen_at = excluded.seen_at
  )
  SELECT page AS name FROM salvo.limit_pages WHERE page = ANY($2) AND is_wanted`;

/** Limits in a database that has their tables. An update takes three messages: lock and read, write, commit. */
export function limitTable(postgres: Postgres): LimitTable {
  return {
    update(name, change) {
      const lock = `SELECT state FROM salvo.limit_pages WHERE page = ${pg.escapeLiteral(name)} FOR UPDATE`;
      return postgres.transaction(
        async (sql) => {
          let [[row], [members]] = [sql.first[0] ?? [], sql.first[1] ?? []];
          const isNew = !row;
          if (isNew) {
            await sql.query(`INSERT INTO salvo.limit_pages VALUES ($1, 'null') ON CONFLICT DO NOTHING`, [name]);
            [row] = await sql.query(lock);
            [members] = await sql.query(MEMBERS);
          }
          const alive = new Set(Array.isArray(members?.alive) ? members.alive : []);
          const { state, isWanted, result } = change({
            state: row?.state ?? null,
            nowMs: Number(members?.now_ms),
            isAlive: (member) => alive.has(member),
          });
          if (state !== undefined) await write(sql, name, { state, isWanted });
          else if (isNew)
            await sql.query(`DELETE FROM salvo.limit_pages WHERE page = $1 AND state::text = 'null'`, [name]);
          return result;
        },
        { first: `${lock}; ${MEMBERS}` },
      );
    },
    async heartbeat(member, names) {
      const rows = await postgres.query(HEARTBEAT, [member, names], 'salvo-limits-heartbeat');
      return rows.map(({ name }) => String(name));
    },
    async remove(name) {
      await postgres.query('DELETE FROM salvo.limit_pages WHERE page = $1', [name]);
      await postgres.query(`DELETE FROM salvo.limit_members WHERE seen_at < clock_timestamp() - interval '1 hour'`);
    },
  };
}

async function write(sql: Sql, name: string, { state, isWanted = false }: { state: unknown; isWanted?: boolean }) {
  const values = [name, JSON.stringify(state), isWanted];
  await sql.query(
    'UPDATE salvo.limit_pages SET state = $2, is_wanted = $3 WHERE page = $1',
    values,
    'salvo-limits-write',
  );
}

import pg from 'pg';
import type { LimitTable } from 'salvo/kit/models';
import type { SchemaPart } from '../postgres/migrate-schema.ts';
import type { Postgres } from '../postgres/postgres.ts';

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

const HEARTBEAT = `WITH beat AS (
    INSERT INTO salvo.limit_members VALUES ($1, clock_timestamp())
    ON CONFLICT (member) DO UPDATE SET seen_at = excluded.seen_at
  )
  SELECT page AS name FROM salvo.limit_pages WHERE page = ANY($2) AND is_wanted`;

const WRITE = `INSERT INTO salvo.limit_pages VALUES ($1, $2, $3)
  ON CONFLICT (page) DO UPDATE SET state = excluded.state, is_wanted = excluded.is_wanted`;

/** Limits in a database that has their tables. An update takes three messages: lock and read, write, commit. */
export function limitTable(postgres: Postgres): LimitTable {
  return {
    update(name, change) {
      return postgres.transaction(
        async (sql) => {
          const [row] = sql.first.at(-1) ?? [];
          const alive = new Set(Array.isArray(row?.alive) ? row.alive : []);
          const { state, isWanted, result } = change({
            state: row?.state ?? null,
            nowMs: Number(row?.now_ms),
            isAlive: (member) => alive.has(member),
          });
          if (state !== undefined)
            await sql.query(WRITE, [name, JSON.stringify(state), isWanted ?? false], 'salvo-limits-write');
          return result;
        },
        { first: `${lockOf(name)}; ${readingOf(name)}` },
      );
    },
    async heartbeat(member, names) {
      const rows = await postgres.query(HEARTBEAT, [member, names], 'salvo-limits-heartbeat');
      return rows.map(({ name }) => String(name));
    },
    async remove(name) {
      await postgres.transaction((sql) => sql.query('DELETE FROM salvo.limit_pages WHERE page = $1', [name]), {
        first: lockOf(name),
      });
      await postgres.query(`DELETE FROM salvo.limit_members WHERE seen_at < clock_timestamp() - interval '1 hour'`);
    },
  };
}

/** Until the end of the transaction. A limit that has no row yet can be locked, too. */
function lockOf(name: string): string {
  return `SELECT pg_advisory_xact_lock(hashtextextended(${pg.escapeLiteral(`salvo limit ${name}`)}, 0))`;
}

/** A statement of its own: one that waits for a lock does not see what changes meanwhile. */
function readingOf(name: string): string {
  return `SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now_ms,
    (SELECT state FROM salvo.limit_pages WHERE page = ${pg.escapeLiteral(name)}) AS state,
    (SELECT coalesce(json_agg(member), '[]') FROM salvo.limit_members
     WHERE seen_at > clock_timestamp() - interval '${MEMBER_TIMEOUT_MS} milliseconds') AS alive`;
}

import type { StoreDescription } from 'salvo/kit/store';
import { SCHEMA, schemaVersions } from '../postgres/migrate-schema.ts';
import type { Postgres } from '../postgres/postgres.ts';
import { textInColumn } from './column-text.ts';
import { STORE_PART } from './schema.ts';

/** Tables of a few rows that say nothing about results. */
const INTERNAL = ['changes', 'purges', 'schema_parts'];

export async function describePostgres(postgres: Postgres): Promise<StoreDescription> {
  const found = await postgres.query(
    `SELECT relname AS name, pg_total_relation_size(pg_class.oid) AS bytes
     FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE nspname = $1 AND relkind = 'r' AND NOT relname = ANY ($2) ORDER BY relname`,
    [SCHEMA, INTERNAL],
  );
  const tables: StoreDescription['tables'] = [];
  for (const { name, bytes } of found) {
    const [row] = await postgres.query(`SELECT count(*) AS rows FROM ${SCHEMA}."${name}"`);
    tables.push({ name: String(name), rows: Number(row?.rows), bytes: Number(bytes) });
  }
  const [server] = await postgres.query(
    `SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes`,
  );
  const held = await postgres.query(
    `SELECT kind, work_id FROM ${SCHEMA}.leases WHERE holder IS NOT NULL AND expires_at > clock_timestamp()
     ORDER BY work_id`,
  );
  return {
    server: `PostgreSQL ${server?.version}`,
    place: postgres.place,
    schema_version: (await schemaVersions(postgres))?.get(STORE_PART.name) ?? 0,
    bytes: Number(server?.bytes),
    tables,
    under_way: held.map(({ kind, work_id }) => ({ kind: String(kind), id: textInColumn(String(work_id)) })),
  };
}

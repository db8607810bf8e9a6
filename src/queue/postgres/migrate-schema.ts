import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { Postgres, Sql } from './postgres.ts';

/** The tables of one part of Salvo. Entries are only ever appended: each is applied once to every database. */
export interface SchemaPart {
  name: string;
  migrations: readonly string[];
}

/** Where all our tables are. */
export const SCHEMA = 'salvo';
const LOCK = 0x5a1f0;

/** How many migrations of each part a database has; null if it has none of our tables. */
export async function schemaVersions(sql: Sql): Promise<Map<string, number> | null> {
  const [found] = await sql.query(
    `SELECT 1 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE nspname = '${SCHEMA}' AND relname = 'schema_parts'`,
  );
  if (!found) return null;
  const rows = await sql.query(`SELECT name, version FROM ${SCHEMA}.schema_parts`);
  return new Map(rows.map((row) => [String(row.name), Number(row.version)]));
}

/** Brings the tables of the parts to the state that this version of Salvo knows. Processes that do it at once wait. */
export async function migrateSchema(postgres: Postgres, parts: readonly SchemaPart[]): Promise<void> {
  if ((await missingMigrations(postgres, parts)) === 0) return;
  await postgres.transaction(async (sql) => {
    await sql.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
    let versions = await schemaVersions(sql);
    if (versions === null) {
      // Looked up first: `IF NOT EXISTS` may not see yet what another process made while this one waited.
      const [found] = await sql.query(`SELECT 1 FROM pg_namespace WHERE nspname = '${SCHEMA}'`);
      if (!found) await sql.query(`CREATE SCHEMA ${SCHEMA}`);
      await sql.query(`CREATE TABLE ${SCHEMA}.schema_parts (name text PRIMARY KEY, version integer NOT NULL)`);
      versions = new Map();
    }
    for (const { name, migrations } of parts) {
      const version = versions.get(name) ?? 0;
      if (version > 0 && version < migrations.length) await refuseUnderWork(sql, postgres.place);
      for (const migration of migrations.slice(version)) await sql.executeSql(migration);
      await sql.query(
        `INSERT INTO ${SCHEMA}.schema_parts VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET version = greatest(schema_parts.version, excluded.version)`,
        [name, migrations.length],
      );
    }
  });
}

/** How many migrations a database lacks. Throws if it has some that this version of Salvo does not know. */
export async function missingMigrations(postgres: Postgres, parts: readonly SchemaPart[]): Promise<number> {
  const versions = await schemaVersions(postgres);
  let missing = 0;
  for (const { name, migrations } of parts) {
    const version = versions?.get(name) ?? 0;
    if (version > migrations.length) throw newerSchema(postgres.place, name);
    missing += migrations.length - version;
  }
  return missing;
}

/** Throws if a later version of Salvo has changed tables that this process knew with these versions. */
export async function refuseChanged(
  sql: Sql & Pick<Postgres, 'place'>,
  known: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [name, version] of (await schemaVersions(sql)) ?? [])
    if (version > (known.get(name) ?? version)) throw newerSchema(sql.place, name);
}

/** Processes of the earlier version would go on to write to tables that they do not know. */
async function refuseUnderWork(sql: Sql, place: string): Promise<void> {
  const [table] = await sql.query(`SELECT to_regclass('${SCHEMA}.leases') IS NOT NULL AS is_there`);
  if (table?.is_there !== true) return;
  const held = await sql.query(
    `SELECT kind, work_id FROM ${SCHEMA}.leases WHERE holder IS NOT NULL AND expires_at > clock_timestamp()
     ORDER BY work_id LIMIT 5`,
  );
  if (held.length === 0) return;
  const list = held.map(({ kind, work_id }) => `${kind} ${work_id}`).join(', ');
  throw new SalvoError(
    'DATABASE_IN_USE',
    `The tables in the database ${place} are of an earlier version of Salvo, which is at work there: ${list}. They are not changed under it. Wait until that has ended, or use the version that is at work.`,
  );
}

function newerSchema(place: string, part: string): SalvoError {
  return new SalvoError(
    'DATABASE_NEWER',
    `The database ${place} has tables of a later version of Salvo (${part}). Install that version: npm install salvo@latest.`,
  );
}

import { SalvoError } from 'salvo/kit/text';
import type { Postgres, Sql } from './postgres.ts';

/** The tables of one part of Salvo. Entries are only ever appended: each is applied once to every database. */
export interface SchemaPart {
  name: string;
  migrations: readonly SchemaStep[];
}

/** SQL that only adds tables, or SQL with the tables that it changes: they are copied before. */
type SchemaStep = string | { changes: readonly string[]; sql: string };

/** A part that was there in an earlier version. */
export interface MigratedPart {
  name: string;
  from: number;
  to: number;
  /** The tables that have what was changed, as it was before. */
  copies: string[];
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

/**
 * Brings the tables of the parts to the state that this version of Salvo knows, all of it or nothing. Of processes that
 * do it at once one migrates, and the others wait. Returns what was changed: nothing for parts that are new.
 */
export async function migrateSchema(postgres: Postgres, parts: readonly SchemaPart[]): Promise<MigratedPart[]> {
  if ((await missingMigrations(postgres, parts)) === 0) return [];
  // By name: a transaction whose commit got no answer is repeated, and then finds everything done.
  const migrated = new Map<string, MigratedPart>();
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
      const from = versions.get(name) ?? 0;
      const steps = migrations.slice(from);
      if (from > 0 && steps.length > 0) {
        await refuseUnderWork(sql, postgres.place);
        const copies = await copyTables(sql, from, steps);
        migrated.set(name, { name, from, to: migrations.length, copies });
      }
      for (const step of steps) await sql.executeSql(typeof step === 'string' ? step : step.sql);
      await sql.query(
        `INSERT INTO ${SCHEMA}.schema_parts VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET version = greatest(schema_parts.version, excluded.version)`,
        [name, migrations.length],
      );
    }
  });
  return [...migrated.values()];
}

/** Copies what the steps will change. Tables that one of the steps makes are not there yet. */
async function copyTables(sql: Sql, from: number, steps: readonly SchemaStep[]): Promise<string[]> {
  const changed = new Set(steps.flatMap((step) => (typeof step === 'string' ? [] : step.changes)));
  const rows = await sql.query('SELECT tablename AS name FROM pg_tables WHERE schemaname = $1', [SCHEMA]);
  const there = new Set(rows.map(({ name }) => String(name)));
  const copies: string[] = [];
  for (const table of changed) {
    if (!there.has(table)) continue;
    // A copy is never overwritten.
    const nameAt = (count: number) => `backup_v${from}${count === 1 ? '' : `_${count}`}_${table}`;
    let count = 1;
    while (there.has(nameAt(count))) count += 1;
    await sql.query(`CREATE TABLE ${SCHEMA}.${nameAt(count)} AS TABLE ${SCHEMA}.${table}`);
    copies.push(`${SCHEMA}.${nameAt(count)}`);
  }
  return copies;
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

/** An error if a later version of Salvo has changed tables that this process knew with these versions; null otherwise. */
export function changedSchema(
  place: string,
  known: ReadonlyMap<string, number>,
  present: ReadonlyMap<string, number>,
): SalvoError | null {
  const changed = [...present].find(([name, version]) => version > (known.get(name) ?? version));
  return changed ? newerSchema(place, changed[0]) : null;
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

/** `lack`: what this version of Salvo needs and the database does not have. */
export function notMigrated(place: string, lack: string, cause?: SalvoError): SalvoError {
  const message = `The database ${place} ${lack}. Create them with a user who may: salvo db migrate.`;
  return new SalvoError('DATABASE_TABLES_TOO_OLD', message, { cause });
}

function newerSchema(place: string, part: string): SalvoError {
  return new SalvoError(
    'DATABASE_TABLES_TOO_NEW',
    `The database ${place} has tables of a later version of Salvo (${part}). Install that version: npm install salvo@latest.`,
  );
}

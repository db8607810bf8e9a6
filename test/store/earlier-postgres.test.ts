import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { migrateSchema, type SchemaPart } from '../../packages/salvo-postgres/src/postgres/migrate-schema.ts';
import { openPostgres } from '../../packages/salvo-postgres/src/postgres/postgres.ts';
import { openPostgresStore } from '../../packages/salvo-postgres/src/store/open-postgres-store.ts';
import { STORE_PART } from '../../packages/salvo-postgres/src/store/schema.ts';
import { createDatabase, type TestDatabase } from '../postgres.ts';
import { earlierVersionsContract } from './earlier-versions-contract.ts';
import { restoreDatabase } from './versions/restore-store.ts';

const FOLDER = path.join(import.meta.dirname, 'versions/postgres');
const VERSIONS = readdirSync(FOLDER);
const LATEST = STORE_PART.migrations.length;

const versionIn = async (database: TestDatabase) =>
  (await database.query("SELECT version FROM salvo.schema_parts WHERE name = 'store'"))[0]?.version;

/** What is written to standard error meanwhile. */
async function announced(work: () => Promise<unknown>): Promise<string[]> {
  const lines: string[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return lines;
}

test('there is a store of every version of the tables', () => {
  const versions = new Set(VERSIONS.map((name) => Number.parseInt(name, 10)));
  expect([...versions].sort((a, b) => a - b)).toEqual(STORE_PART.migrations.map((_, index) => index + 1));
});

test('a step names every table that it changes, so that it is copied before', () => {
  const CHANGED = /(?:ALTER TABLE|UPDATE|DELETE FROM|DROP TABLE|TRUNCATE) salvo\.(\w+)/g;
  for (const step of STORE_PART.migrations.slice(1)) {
    const { changes, sql } = typeof step === 'string' ? { changes: [], sql: step } : step;
    expect(changes).toEqual([...new Set(Array.from(sql.matchAll(CHANGED), ([, table]) => table))]);
  }
});

earlierVersionsContract(VERSIONS, async (name) => {
  const database = await restoreDatabase(name);
  const runs = await database.query('SELECT run_id, verdict, exit_code FROM salvo.runs ORDER BY seq DESC');
  const played = await database.query('SELECT experiment_id FROM salvo.experiments');
  return {
    env: { SALVO_DATABASE_URL: database.url },
    // No worker is there.
    runCommand: ['run', '-n', '1', '--detach'],
    runs: runs.map(({ run_id, verdict, exit_code }) => ({
      run_id: String(run_id),
      verdict: String(verdict),
      exit_code: Number(exit_code),
    })),
    experiments: played.map(({ experiment_id }) => String(experiment_id)),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
});

describe('the migration of a PostgreSQL store', () => {
  test('is announced once, and keeps the tables that it changes, when several clients start at once', async () => {
    await using database = await restoreDatabase('02-def6a915.sql');
    const before = await database.query('SELECT * FROM salvo.runs ORDER BY seq');
    const lines = await announced(async () => {
      const stores = await Promise.all([1, 2, 3].map(() => openPostgresStore({ url: database.url })));
      for (const store of stores) await store.close();
    });
    const { host, pathname } = new URL(database.url);
    expect(lines).toEqual([
      `${host}${pathname} was written by an earlier Salvo: its tables were brought from version 2 to ${LATEST}. What was changed, as it was before: salvo.backup_v2_runs, in the same database.\n`,
    ]);
    expect(await database.query('SELECT * FROM salvo.backup_v2_runs ORDER BY seq')).toEqual(before);
    expect(await versionIn(database)).toBe(LATEST);
  });

  test('overwrites no earlier copy', async () => {
    await using database = await restoreDatabase('02-def6a915.sql');
    await database.query('CREATE TABLE salvo.backup_v2_runs (mine integer)');
    const [line] = await announced(async () => (await openPostgresStore({ url: database.url })).close());
    expect(line).toContain('salvo.backup_v2_2_runs');
    expect(await database.query('SELECT * FROM salvo.backup_v2_runs')).toEqual([]);
  });

  test('is not announced for a new database, or one of this version', async () => {
    await using database = await createDatabase();
    const open = async () => (await openPostgresStore({ url: database.url })).close();
    expect([await announced(open), await announced(open)]).toEqual([[], []]);
  });

  test('changes nothing and leaves no copy if a step fails', async () => {
    await using database = await restoreDatabase('02-def6a915.sql');
    await using postgres = await openPostgres({ url: database.url });
    const broken: SchemaPart = { ...STORE_PART, migrations: [...STORE_PART.migrations, 'CREATE NONSENSE'] };
    await expect(migrateSchema(postgres, [broken])).rejects.toThrow(/NONSENSE/);
    expect(await versionIn(database)).toBe(2);
    const made = await database.query(
      `SELECT 1 FROM information_schema.columns
       WHERE table_schema = 'salvo' AND (column_name = 'document_version' OR table_name LIKE 'backup%')`,
    );
    expect(made).toEqual([]);
  });
});

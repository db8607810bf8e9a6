import { openDoors } from 'salvo/kit/extension';
import { LEASE_MS, type WorkQueue } from 'salvo/kit/queue';
import {
  type DatabaseOptions,
  migrationNotice,
  nothingStored,
  type Store,
  type TableModule,
  tableNames,
} from 'salvo/kit/store';
import { remembered, SalvoError } from 'salvo/kit/text';
import {
  migrateSchema,
  missingMigrations,
  notMigrated,
  type SchemaPart,
  schemaVersions,
} from '../postgres/migrate-schema.ts';
import { openPostgres, type Postgres, type PostgresOptions } from '../postgres/postgres.ts';
import { postgresStore } from './postgres-store.ts';
import { queueOnDemand } from './queue-on-demand.ts';
import { STORE_PART } from './schema.ts';
import { qualified } from './table-engine.ts';

export interface PostgresStoreOptions extends DatabaseOptions {
  leaseMs?: number;
}

/** A store in a PostgreSQL database, which any number of processes on any machine can share. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, mustExist = false, migrate = true, redact, leaseMs = LEASE_MS, patience } = options;
  const postgres = await joinPostgres({ url, patience });
  try {
    if (mustExist && (await schemaVersions(postgres)) === null) {
      throw nothingStored(`The database ${postgres.place} has no tables of Salvo.`);
    }
    await prepareTables(postgres, STORE_PART, migrate);
  } catch (error) {
    await postgres.close();
    throw error;
  }
  const queue = queueOnDemand(async (): Promise<WorkQueue> => {
    const { migrateWorkQueue, openWorkQueue } = await import('../queue/open-work-queue.ts');
    if (migrate) await withRights(postgres, () => migrateWorkQueue(postgres));
    return await openWorkQueue({ postgres, ...(redact && { redact }) });
  });
  const prepared = new Map<string, Promise<void>>();
  const prepare = async (module: TableModule): Promise<void> => {
    if (!module.migrations) return;
    await remembered(prepared, module.name, () =>
      prepareTables(postgres, partOf(module), migrate).catch((error: unknown) => {
        prepared.delete(module.name);
        throw error;
      }),
    );
  };
  return postgresStore({ postgres, queue, prepare, leaseMs });
}

/** Creates all tables of Salvo in a database, or brings them to this version. Returns where the database is. */
export async function migrateDatabase(url: string): Promise<string> {
  await using postgres = await openPostgres({ url });
  const { migrateWorkQueue } = await import('../queue/open-work-queue.ts');
  await migrateTables(postgres, STORE_PART);
  for (const module of await openDoors('tables')) await migrateTables(postgres, partOf(module));
  await migrateWorkQueue(postgres);
  return postgres.place;
}

/** The owner of the results is told of it. The tables of the queue only hold what is under way. */
async function migrateTables(postgres: Postgres, part: SchemaPart): Promise<void> {
  for (const { from, to, copies } of await migrateSchema(postgres, [part])) {
    const kept =
      copies.length === 0
        ? 'Tables were added, and none was changed.'
        : `What was changed, as it was before: ${copies.join(', ')}, in the same database.`;
    process.stderr.write(`${migrationNotice({ place: postgres.place, from, to, kept })}\n`);
  }
}

async function prepareTables(postgres: Postgres, part: SchemaPart, migrate: boolean): Promise<void> {
  if ((await missingMigrations(postgres, [part])) === 0) return;
  if (!migrate) throw tablesLacking(postgres.place);
  await withRights(postgres, () => migrateTables(postgres, part));
}

function partOf({ name, migrations }: TableModule): SchemaPart {
  return { name, migrations: (migrations?.postgres ?? []).map((step) => tableNames(step, qualified)) };
}

/** A team may give its workers no right to create tables. */
async function withRights(postgres: Postgres, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof SalvoError && error.code === 'DATABASE_RIGHTS_MISSING'
      ? tablesLacking(postgres.place, error)
      : error;
  }
}

function tablesLacking(place: string, cause?: SalvoError): SalvoError {
  const reason = cause ? ` (${cause.message})` : '';
  return notMigrated(place, `lacks tables of this version of Salvo${reason}`, cause);
}

const opened = new Map<string, { postgres: Promise<Postgres>; users: number }>();

/**
 * All stores of a process that are in the same database use the same connections: a worker opens a store for each run
 * that it takes part in. The last one that is closed closes them.
 */
async function joinPostgres({ url, patience }: Pick<PostgresOptions, 'url' | 'patience'>): Promise<Postgres> {
  const entry = opened.get(url) ?? { postgres: openPostgres({ url, patience }), users: 0 };
  opened.set(url, entry);
  entry.users += 1;
  async function leave(): Promise<void> {
    entry.users -= 1;
    if (entry.users > 0) return;
    if (opened.get(url) === entry) opened.delete(url);
    await (await entry.postgres).close();
  }
  const postgres = await entry.postgres.catch((error: unknown) => {
    if (opened.get(url) === entry) opened.delete(url);
    throw error;
  });
  let left: Promise<void> | undefined;
  const close = (): Promise<void> => {
    left ??= leave();
    return left;
  };
  return { ...postgres, close, [Symbol.asyncDispose]: close };
}

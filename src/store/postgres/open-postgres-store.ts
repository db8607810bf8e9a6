import { LEASE_MS } from '../../queue/lease.ts';
import { migrateSchema, missingMigrations, schemaVersions } from '../../queue/postgres/migrate-schema.ts';
import { openPostgres, type Postgres } from '../../queue/postgres/postgres.ts';
import type { DatabasePatience } from '../../queue/postgres/start-patience.ts';
import type { WorkQueue } from '../../queue/work-queue.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { migrationNotice } from '../documents/document-codec.ts';
import { nothingStored } from '../resolve-id.ts';
import type { Store } from '../store.ts';
import { joinPostgres } from './joined-postgres.ts';
import { postgresStore } from './postgres-store.ts';
import { queueOnDemand } from './queue-on-demand.ts';
import { STORE_PART } from './schema.ts';

export interface PostgresStoreOptions {
  url: string;
  /** Refuses a database without our tables. */
  mustExist?: boolean;
  /** Whether tables are created and changed where that is needed. */
  migrate?: boolean;
  /** Takes secrets out of what the queue keeps. */
  redact?: (text: string) => string;
  leaseMs?: number;
  patience?: DatabasePatience | undefined;
}

/** A store in a PostgreSQL database, which any number of processes on any machine can share. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, mustExist = false, migrate = true, redact, leaseMs = LEASE_MS, patience } = options;
  const postgres = await joinPostgres({ url, patience });
  try {
    if (mustExist && (await schemaVersions(postgres)) === null) {
      throw nothingStored(`The database ${postgres.place} has no tables of Salvo.`);
    }
    await prepareTables(postgres, migrate);
  } catch (error) {
    await postgres.close();
    throw error;
  }
  const queue = queueOnDemand(async (): Promise<WorkQueue> => {
    const { migrateWorkQueue, openWorkQueue } = await import('../../queue/pgboss/open-work-queue.ts');
    if (migrate) await withRights(postgres, () => migrateWorkQueue(postgres));
    return await openWorkQueue({ postgres, ...(redact && { redact }) });
  });
  return postgresStore({ postgres, queue, leaseMs });
}

/** Creates all tables of Salvo in a database, or brings them to this version. Returns where the database is. */
export async function migrateDatabase(url: string): Promise<string> {
  await using postgres = await openPostgres({ url });
  const { migrateWorkQueue } = await import('../../queue/pgboss/open-work-queue.ts');
  await migrateTables(postgres);
  await migrateWorkQueue(postgres);
  return postgres.place;
}

/** The owner of the results is told of it. The tables of the queue only hold what is under way. */
async function migrateTables(postgres: Postgres): Promise<void> {
  for (const { from, to, copies } of await migrateSchema(postgres, [STORE_PART])) {
    const kept =
      copies.length === 0
        ? 'Tables were added, and none was changed.'
        : `What was changed, as it was before: ${copies.join(', ')}, in the same database.`;
    process.stderr.write(`${migrationNotice({ place: postgres.place, from, to, kept })}\n`);
  }
}

async function prepareTables(postgres: Postgres, migrate: boolean): Promise<void> {
  if ((await missingMigrations(postgres, [STORE_PART])) === 0) return;
  if (!migrate) throw notMigrated(postgres.place);
  await withRights(postgres, () => migrateTables(postgres));
}

/** A team may give its workers no right to create tables. */
async function withRights(postgres: Postgres, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof SalvoError && error.code === 'DATABASE_RIGHTS_MISSING'
      ? notMigrated(postgres.place, error)
      : error;
  }
}

function notMigrated(place: string, cause?: SalvoError): SalvoError {
  const reason = cause ? ` (${cause.message})` : '';
  return new SalvoError(
    'DATABASE_TABLES_TOO_OLD',
    `The database ${place} lacks tables of this version of Salvo${reason}. Create them with a user who may: salvo db migrate.`,
    { cause },
  );
}

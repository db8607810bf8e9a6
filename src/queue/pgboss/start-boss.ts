import { PgBoss } from 'pg-boss';
import { errorMessage, SalvoError } from '../../text/salvo-error.ts';
import type { Postgres } from '../postgres/postgres.ts';

/** Where pg-boss has its tables. */
export const JOBS_SCHEMA = 'salvo_jobs';

/**
 * pg-boss on the connections of `postgres`. It runs nothing in the background: heartbeats and lost jobs are ours (see
 * lost-jobs.ts), jobs are deleted with their order, and there are no schedules.
 */
export async function startBoss(postgres: Postgres): Promise<PgBoss> {
  const boss = createBoss(postgres, false);
  try {
    await boss.start();
  } catch (error) {
    await boss.stop({ graceful: false });
    if (/^pg-boss (is not installed|database requires migrations)$/.test(errorMessage(error)))
      throw notMigrated(postgres);
    throw error;
  }
  return boss;
}

/** Creates the tables of pg-boss, or brings them to its version. pg-boss takes a lock, so processes may do it at once. */
export async function migrateBoss(postgres: Postgres): Promise<void> {
  const boss = createBoss(postgres, true);
  try {
    await boss.start();
  } finally {
    await boss.stop({ graceful: false });
  }
}

function createBoss(postgres: Postgres, migrate: boolean): PgBoss {
  const boss = new PgBoss({
    schema: JOBS_SCHEMA,
    migrate,
    supervise: false,
    schedule: false,
    db: {
      executeSql: async (text, values) => {
        // Several statements with BEGIN and COMMIT of their own. If one fails, the connection must be rolled back.
        if (values === undefined) return await postgres.transaction((sql) => sql.executeSql(text));
        return await postgres.executeSql(text, values);
      },
    },
  });
  // What fails in the background is tried again by itself. What we wait for is thrown.
  boss.on('error', () => {});
  return boss;
}

function notMigrated({ place }: Postgres): SalvoError {
  return new SalvoError(
    'DATABASE_OLDER',
    `The database ${place} has no tables for jobs of this version of Salvo. Create them with a user who may: salvo db migrate.`,
  );
}

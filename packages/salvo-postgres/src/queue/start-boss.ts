import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { PgBoss } from 'pg-boss';
import type { SqlRunner } from 'salvo/kit/queue';
import { errorMessage, SalvoError } from 'salvo/kit/text';
import type { Postgres } from '../postgres/postgres.ts';

/** Where pg-boss has its tables. */
export const JOBS_SCHEMA = 'salvo_jobs';
const LOCK = 0x5a1f1;

const names = new Map<string, string>();
const transactions = new AsyncLocalStorage<SqlRunner>();

/**
 * What pg-boss does in `call` belongs to the transaction. Its option `db` would leave out what it looks up about a
 * queue: transactions that wait for another connection to do that could wait for each other.
 */
export function inTransaction<T>(transaction: SqlRunner | undefined, call: () => Promise<T>): Promise<T> {
  return transaction ? transactions.run(transaction, call) : call();
}

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

/** Creates the tables of pg-boss, or brings them to its version. Processes that do it at once wait for each other. */
export async function migrateBoss(postgres: Postgres): Promise<void> {
  await postgres.transaction(async (sql) => {
    // pg-boss has a lock of its own, but still fails when two processes create its schema.
    await sql.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
    const boss = createBoss(postgres, true);
    try {
      await boss.start();
    } finally {
      await boss.stop({ graceful: false });
    }
  });
}

function createBoss(postgres: Postgres, migrate: boolean): PgBoss {
  const boss = new PgBoss({
    schema: JOBS_SCHEMA,
    migrate,
    supervise: false,
    schedule: false,
    db: {
      executeSql: async (text, values) => {
        const transaction = transactions.getStore();
        if (transaction) return await transaction.executeSql(text, values, values && nameOf(text));
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

/**
 * Planning a statement of pg-boss takes as long as executing it, so those of the transactions that end jobs are prepared.
 * They are few, and the names of queues are parameters of them.
 */
function nameOf(text: string): string {
  const name = names.get(text) ?? `jobs-${createHash('sha256').update(text).digest('base64url')}`;
  names.set(text, name);
  return name;
}

function notMigrated({ place }: Postgres): SalvoError {
  return new SalvoError(
    'DATABASE_TABLES_TOO_OLD',
    `The database ${place} has no tables for jobs of this version of Salvo. Create them with a user who may: salvo db migrate.`,
  );
}

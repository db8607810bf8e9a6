import type { TestDatabase } from '../../postgres.ts';

const QUERIES = [
  'SELECT state, attempt, token, worker_id, now() - renewed_at AS silent, start_after - now() AS due, document FROM salvo.jobs',
  'SELECT kind, id, generation, stops, pointless, is_over, now() - led_at AS unled FROM salvo.work_orders',
  'SELECT worker_id, now() - seen_at AS unseen FROM salvo.workers',
  'SELECT now() - since AS watched, now() - looked_at AS unwatched FROM salvo.work_watch',
  'SELECT kind, work_id, holder, expires_at - now() AS left FROM salvo.leases',
  `SELECT pid, state, wait_event, now() - xact_start AS transaction, pg_blocking_pids(pid) AS waits_for, query
     FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
];

/** Everything that decides who does what next, for the reader of a test that hangs. */
export async function queueState(database: TestDatabase): Promise<string> {
  const parts = await Promise.all(
    QUERIES.map(async (sql) => {
      const rows = await database.query(sql).catch((error: unknown) => [{ error: String(error) }]);
      return [sql, ...rows.map((row) => `  ${JSON.stringify(row)}`)].join('\n');
    }),
  );
  return parts.join('\n');
}

/** An attempt at a job that ended because its worker was not heard of. */
export interface LostAttempt {
  workerId: string;
  /** For how long it was not heard of. */
  silentSeconds: number;
}

/** Notes lost attempts from now on: the jobs of an order are gone when it is closed. The tables must be there. */
export async function watchLosses(database: TestDatabase): Promise<() => Promise<LostAttempt[]>> {
  await database.query(`
    CREATE TABLE losses (worker_id text, silent_s float8);
    CREATE FUNCTION note_loss() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO losses VALUES (OLD.worker_id, extract(epoch FROM now() - OLD.renewed_at));
      RETURN NULL;
    END $$;
    CREATE TRIGGER losses AFTER UPDATE ON salvo.jobs FOR EACH ROW
      WHEN (OLD.state = 'active' AND NEW.state IN ('waiting', 'failed') AND NEW.attempt = OLD.attempt)
      EXECUTE FUNCTION note_loss();`);
  return async () =>
    (await database.query('SELECT * FROM losses')).map(({ worker_id, silent_s }) => ({
      workerId: String(worker_id),
      silentSeconds: Number(silent_s),
    }));
}

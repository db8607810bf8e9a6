import type { TestDatabase } from '../../postgres.ts';

const QUERIES = [
  'SELECT state, attempt, token, worker_id, now() - renewed_at AS silent, start_after - now() AS due, document FROM salvo.jobs',
  'SELECT kind, id, generation, stops, pointless, is_over, now() - coordinated_at AS uncoordinated FROM salvo.work_orders',
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

/** An attempt at a game that ended because its worker was not heard of. */
export interface LostGame {
  /** For how long the worker was not heard of. */
  silentSeconds: number;
  /** Whether the code of the game was stored by then, so that it need not be paid for again. */
  hasCode: boolean;
}

/** Notes lost attempts from now on: the jobs of an order are gone when it is closed. The tables must be there. */
export async function watchLostGames(database: TestDatabase): Promise<() => Promise<LostGame[]>> {
  await database.query(`
    CREATE TABLE losses (silent_s float8, has_code boolean);
    CREATE FUNCTION note_loss() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO losses VALUES (extract(epoch FROM now() - OLD.renewed_at), EXISTS (
        SELECT FROM salvo.game_code WHERE experiment_id = OLD.id AND code_key = OLD.document::json ->> 'key'));
      RETURN NULL;
    END $$;
    CREATE TRIGGER losses AFTER UPDATE ON salvo.jobs FOR EACH ROW
      WHEN (OLD.state = 'active' AND NEW.state IN ('waiting', 'failed') AND NEW.attempt = OLD.attempt)
      EXECUTE FUNCTION note_loss();`);
  return async () =>
    (await database.query('SELECT * FROM losses')).map(({ silent_s, has_code }) => ({
      silentSeconds: Number(silent_s),
      hasCode: has_code === true,
    }));
}

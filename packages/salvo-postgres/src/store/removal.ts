import { SalvoError } from 'salvo/kit/text';
import { SCHEMA } from '../postgres/migrate-schema.ts';
import type { Row, Sql, Transaction } from '../postgres/postgres.ts';
import { columnText } from './column-text.ts';
import { COUNT_CHANGE, NO_TEXTS, type StoreDatabase, TEXTS_LOCK, type Write } from './store-database.ts';

/** Hides runs, and removes runs and experiments for good. */
export interface Removal {
  hide(runId: string): Write;
  restore(runId: string): Write;
  /** Removes runs that were hidden so long ago. */
  purge(olderThanSeconds: number): Promise<void>;
  /** Removes what no process works on, with every trace and text that nothing else uses. Returns how many. */
  remove(ids: {
    runs: readonly string[];
    experiments: readonly string[];
  }): Promise<{ runs: number; experiments: number }>;
}

const REFERENCE = `'"~([A-Za-z0-9_-]{43})"'`;
const IS_HELD = `EXISTS (SELECT 1 FROM ${SCHEMA}.leases WHERE kind = $2 AND work_id = id AND holder IS NOT NULL
  AND expires_at > clock_timestamp())`;

export function removal(database: StoreDatabase): Removal {
  const { place, postgres } = database;

  /** Alone with the texts: processes that write at this moment are waited for, and wait. */
  function alone<T>(work: (sql: Transaction) => Promise<T>): Promise<T> {
    return postgres.transaction(work, { first: `SELECT pg_advisory_xact_lock(${TEXTS_LOCK})`, last: COUNT_CHANGE });
  }

  function marking(runId: string, set: string, refusal: string): Write {
    return {
      texts: NO_TEXTS,
      async change(sql) {
        const changed = await sql.query(`UPDATE ${SCHEMA}.runs SET ${set} RETURNING 1`, [columnText(runId)]);
        if (changed.length === 0 && !sql.isRepeated) throw new SalvoError('RUN_UNKNOWN', refusal);
      },
    };
  }

  return {
    hide: (runId) =>
      marking(
        runId,
        'deleted_at = clock_timestamp() WHERE run_id = $1 AND deleted_at IS NULL',
        `There is no run ${runId} in ${place}.`,
      ),
    restore: (runId) =>
      marking(
        runId,
        'deleted_at = NULL WHERE run_id = $1 AND deleted_at IS NOT NULL',
        `Run ${runId} cannot be restored: it is no deleted run of ${place}.`,
      ),
    async purge(olderThanSeconds) {
      const find = (sql: Sql) =>
        sql.query(
          `SELECT run_id FROM ${SCHEMA}.runs WHERE deleted_at <= clock_timestamp() - make_interval(secs => $1)`,
          [olderThanSeconds],
        );
      // Looked for first: usually there is none, and no process should have to wait for that.
      if ((await find(postgres)).length === 0) return;
      await alone(async (sql) => {
        const ids = (await find(sql)).map((row) => String(row.run_id));
        await removeAll(sql, { runs: ids, experiments: [] });
      });
    },
    async remove({ runs, experiments }) {
      const idle = async (sql: Sql, kind: string, ids: readonly string[]) => {
        const rows = await sql.query(`SELECT id FROM unnest($1::text[]) AS id WHERE NOT ${IS_HELD}`, [
          ...[ids.map(columnText), kind],
        ]);
        return rows.map((row) => String(row.id));
      };
      return await alone(async (sql) => {
        const chosen = { runs: await idle(sql, 'run', runs), experiments: await idle(sql, 'experiment', experiments) };
        return await removeAll(sql, chosen);
      });
    },
  };
}

/** The ids are as in their columns. */
async function removeAll(sql: Sql, ids: { runs: string[]; experiments: string[] }) {
  const unused = new Set<string>();
  async function removeFrom(table: string, where: string, values: unknown[], documents: string[]): Promise<void> {
    const rows = await sql.query(
      `WITH gone AS (DELETE FROM ${SCHEMA}.${table} WHERE ${where} RETURNING ${documents.join(', ')})
       SELECT DISTINCT found[1] AS reference FROM gone, LATERAL (VALUES ${documents.map((name) => `(gone.${name})`).join(', ')}) AS each (document),
         LATERAL regexp_matches(each.document, ${REFERENCE}, 'g') AS found`,
      values,
    );
    for (const { reference } of rows) unused.add(String(reference));
  }
  const traces = await sql.query(
    `SELECT DISTINCT trace_id FROM ${SCHEMA}.trials WHERE run_id = ANY ($1) AND trace_id IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM ${SCHEMA}.trials AS others WHERE others.trace_id = trials.trace_id
       AND NOT others.run_id = ANY ($1))`,
    [ids.runs],
  );
  await removeFrom('trials', 'run_id = ANY ($1)', [ids.runs], ['result', 'outcome']);
  await removeFrom('traces', 'trace_id = ANY ($1)', [traces.map(({ trace_id }) => trace_id)], ['document']);
  await removeFrom('run_scenarios', 'run_id = ANY ($1)', [ids.runs], ['scenario', 'summary', 'brief_summary']);
  await removeFrom('games', 'experiment_id = ANY ($1)', [ids.experiments], ['game', 'sheet']);
  await removeFrom('game_code', 'experiment_id = ANY ($1)', [ids.experiments], ['outcome']);
  await sql.query(`DELETE FROM ${SCHEMA}.lost_costs WHERE experiment_id = ANY ($1)`, [ids.experiments]);
  const count = async (table: string, key: string, own: string[]) =>
    (await sql.query(`SELECT 1 FROM ${SCHEMA}.${table} WHERE ${key} = ANY ($1)`, [own])).length;
  const removed = {
    runs: await count('runs', 'run_id', ids.runs),
    experiments: await count('experiments', 'experiment_id', ids.experiments),
  };
  await removeFrom('runs', 'run_id = ANY ($1)', [ids.runs], ['options']);
  await removeFrom('experiments', 'experiment_id = ANY ($1)', [ids.experiments], ['record']);
  await sql.query(
    `DELETE FROM ${SCHEMA}.leases WHERE (kind = 'run' AND work_id = ANY ($1)) OR (kind = 'experiment' AND work_id = ANY ($2))`,
    [ids.runs, ids.experiments],
  );
  await removeTexts(sql, unused);
  return removed;
}

/** Removes the texts that no row of any table refers to. All tables are searched, so that none can be forgotten. */
async function removeTexts(sql: Sql, unused: Set<string>): Promise<void> {
  const columns = await sql.query(
    `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = $1 AND data_type = 'text'`,
    [SCHEMA],
  );
  for (const { table_name, column_name } of columns) {
    if (unused.size === 0) return;
    const used: Row[] = await sql.query(
      `SELECT DISTINCT found[1] AS reference FROM ${SCHEMA}."${table_name}",
         LATERAL regexp_matches("${column_name}", ${REFERENCE}, 'g') AS found
       WHERE "${column_name}" LIKE '%"~%' AND found[1] = ANY ($1)`,
      [[...unused]],
    );
    for (const { reference } of used) unused.delete(String(reference));
  }
  const hashes = Array.from(unused, (reference) => Buffer.from(reference, 'base64url'));
  await sql.query(`DELETE FROM ${SCHEMA}.blobs WHERE hash = ANY ($1::bytea[])`, [hashes]);
  await sql.query(`UPDATE ${SCHEMA}.purges SET count = count + 1`);
}

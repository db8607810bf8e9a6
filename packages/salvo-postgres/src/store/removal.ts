import type { WorkTables } from 'salvo/kit/store';
import { SCHEMA } from '../postgres/migrate-schema.ts';
import type { Row, Sql, Transaction } from '../postgres/postgres.ts';
import { columnText } from './column-text.ts';
import { COUNT_CHANGE, type StoreDatabase, TEXTS_LOCK } from './store-database.ts';

const REFERENCE = `'"~([A-Za-z0-9_-]{43})"'`;
const IS_HELD = `EXISTS (SELECT 1 FROM ${SCHEMA}.leases WHERE kind = $2 AND work_id = id AND holder IS NOT NULL
  AND expires_at > clock_timestamp())`;

/** Removes runs and the work of modules for good. */
export function removal({ postgres }: StoreDatabase) {
  /** Alone with the texts: processes that write at this moment are waited for, and wait. */
  function alone<T>(work: (sql: Transaction) => Promise<T>): Promise<T> {
    return postgres.transaction(work, { first: `SELECT pg_advisory_xact_lock(${TEXTS_LOCK})`, last: COUNT_CHANGE });
  }

  return {
    /** Removes runs that were hidden so long ago. */
    async purge(olderThanSeconds: number): Promise<void> {
      const find = (sql: Sql) =>
        sql.query(
          `SELECT run_id FROM ${SCHEMA}.runs WHERE deleted_at <= clock_timestamp() - make_interval(secs => $1)`,
          [olderThanSeconds],
        );
      // Looked for first: usually there is none, and no process should have to wait for that.
      if ((await find(postgres)).length === 0) return;
      await alone(async (sql) => {
        const ids = (await find(sql)).map((row) => String(row.run_id));
        await removeAll(sql, 'run', ids, await ofRuns(sql, ids));
      });
    },
    /** Removes what no process works on, with every trace and text that nothing else uses. Returns how many. */
    remove: (ids: readonly string[], work?: WorkTables): Promise<number> =>
      alone(async (sql) => {
        const kind = work?.kind ?? 'run';
        const idle = await sql.query(`SELECT id FROM unnest($1::text[]) AS id WHERE NOT ${IS_HELD}`, [
          ...[ids.map(columnText), kind],
        ]);
        const chosen = idle.map((row) => String(row.id));
        return await removeAll(sql, kind, chosen, work ? ofWork(work, chosen) : await ofRuns(sql, chosen));
      }),
  };
}

/** Rows to remove: those whose column has one of the keys. */
interface Doomed {
  table: string;
  column: string;
  keys: readonly unknown[];
}

/** Those that refer to others come first. The ids are as in their columns. */
async function ofRuns(sql: Sql, ids: readonly string[]): Promise<Doomed[]> {
  const traces = await sql.query(
    `SELECT DISTINCT trace_id FROM ${SCHEMA}.trials WHERE run_id = ANY ($1) AND trace_id IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM ${SCHEMA}.trials AS others WHERE others.trace_id = trials.trace_id
       AND NOT others.run_id = ANY ($1))`,
    [ids],
  );
  return [
    { table: 'trials', column: 'run_id', keys: ids },
    { table: 'traces', column: 'trace_id', keys: traces.map(({ trace_id }) => trace_id) },
    { table: 'run_scenarios', column: 'run_id', keys: ids },
    { table: 'runs', column: 'run_id', keys: ids },
  ];
}

function ofWork({ tables, column }: WorkTables, ids: readonly string[]): Doomed[] {
  return tables.map((table) => ({ table, column, keys: ids }));
}

/** Returns how many rows of the last table were there. */
async function removeAll(sql: Sql, kind: string, ids: readonly string[], doomed: readonly Doomed[]): Promise<number> {
  const columns = await textColumns(sql);
  const unused = new Set<string>();
  let count = 0;
  for (const { table, column, keys } of doomed) {
    const documents = columns.filter((each) => each.table === table).map((each) => `(gone."${each.column}")`);
    const [row] = await sql.query(
      `WITH gone AS (DELETE FROM ${SCHEMA}.${table} WHERE ${column} = ANY ($1) RETURNING *)
       SELECT (SELECT count(*) FROM gone) AS count, array(
         SELECT DISTINCT found[1] FROM gone, LATERAL (VALUES ${documents.join(', ')}) AS each (document),
           LATERAL regexp_matches(each.document, ${REFERENCE}, 'g') AS found) AS used`,
      [keys],
    );
    count = Number(row?.count);
    for (const reference of Array.isArray(row?.used) ? row.used : []) unused.add(String(reference));
  }
  await sql.query(`DELETE FROM ${SCHEMA}.leases WHERE kind = $1 AND work_id = ANY ($2)`, [kind, ids]);
  await removeTexts(sql, columns, unused);
  return count;
}

async function textColumns(sql: Sql): Promise<{ table: string; column: string }[]> {
  const rows = await sql.query(
    `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = $1 AND data_type = 'text'`,
    [SCHEMA],
  );
  return rows.map(({ table_name, column_name }) => ({ table: String(table_name), column: String(column_name) }));
}

/** Removes the texts that no row of any table refers to. All tables are searched, so that none can be forgotten. */
async function removeTexts(
  sql: Sql,
  columns: readonly { table: string; column: string }[],
  unused: Set<string>,
): Promise<void> {
  for (const { table, column } of columns) {
    if (unused.size === 0) return;
    const used: Row[] = await sql.query(
      `SELECT DISTINCT found[1] AS reference FROM ${SCHEMA}."${table}",
         LATERAL regexp_matches("${column}", ${REFERENCE}, 'g') AS found
       WHERE "${column}" LIKE '%"~%' AND found[1] = ANY ($1)`,
      [[...unused]],
    );
    for (const { reference } of used) unused.delete(String(reference));
  }
  const hashes = Array.from(unused, (reference) => Buffer.from(reference, 'base64url'));
  await sql.query(`DELETE FROM ${SCHEMA}.blobs WHERE hash = ANY ($1::bytea[])`, [hashes]);
  await sql.query(`UPDATE ${SCHEMA}.purges SET count = count + 1`);
}

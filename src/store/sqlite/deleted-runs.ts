import type { DatabaseSync } from 'node:sqlite';
import { SalvoError } from '../../text/salvo-error.ts';
import { referencesIn } from '../documents/dehydrate.ts';

/** Runs that the user deleted. Every function has to be called inside of a transaction. */
export interface DeletedRuns {
  hide(runId: string): void;
  restore(runId: string): void;
  /** Removes runs that were hidden so long ago, with their trials and every trace and text that nothing else uses. */
  purge(olderThanSeconds: number): void;
}

export function deletedRuns(database: DatabaseSync, file: string): DeletedRuns {
  const hide = database.prepare(
    `UPDATE runs SET deleted_at = unixepoch('subsec') WHERE run_id = ? AND deleted_at IS NULL`,
  );
  const restore = database.prepare('UPDATE runs SET deleted_at = NULL WHERE run_id = ? AND deleted_at IS NOT NULL');
  const selectIds = database.prepare(`SELECT run_id FROM runs WHERE deleted_at <= unixepoch('subsec') - ?`);

  return {
    hide(runId) {
      if (hide.run(runId).changes === 0)
        throw new SalvoError('STORE_UNKNOWN_RUN', `There is no run ${runId} in ${file}.`);
    },
    restore(runId) {
      if (restore.run(runId).changes > 0) return;
      throw new SalvoError('STORE_UNKNOWN_RUN', `Run ${runId} cannot be restored: it is no deleted run of ${file}.`);
    },
    purge(olderThanSeconds) {
      const ids = selectIds.all(olderThanSeconds).map((row) => String(row.run_id));
      if (ids.length > 0) remove(database, ids);
    },
  };
}

function remove(database: DatabaseSync, ids: readonly string[]): void {
  const own = 'IN (SELECT value FROM json_each(?))';
  const [runIds, traceIds] = [JSON.stringify(ids), JSON.stringify(tracesOnlyOf(database, ids))];
  const resultIds = JSON.stringify(resultsOf(database, ids));
  const removed = [
    { table: 'trials', where: `run_id ${own}`, keys: runIds },
    { table: 'results', where: `result_id ${own}`, keys: resultIds },
    { table: 'traces', where: `trace_id ${own}`, keys: traceIds },
    { table: 'scenario_figures', where: `run_id ${own}`, keys: runIds },
    { table: 'run_scenarios', where: `run_id ${own}`, keys: runIds },
    { table: 'runs', where: `run_id ${own}`, keys: runIds },
    { table: 'leases', where: `kind = 'run' AND work_id ${own}`, keys: runIds },
  ];
  const unused = new Set<string>();
  for (const { table, where, keys } of removed) {
    for (const row of database.prepare(`SELECT * FROM ${table} WHERE ${where}`).iterate(keys)) {
      for (const reference of referencesInRow(row)) unused.add(reference);
    }
    database.prepare(`DELETE FROM ${table} WHERE ${where}`).run(keys);
  }
  removeTexts(database, unused);
}

function resultsOf(database: DatabaseSync, ids: readonly string[]): unknown[] {
  return database
    .prepare('SELECT result_id FROM trials WHERE run_id IN (SELECT value FROM json_each(?)) AND result_id IS NOT NULL')
    .all(JSON.stringify(ids))
    .map((row) => row.result_id);
}

function tracesOnlyOf(database: DatabaseSync, ids: readonly string[]): string[] {
  return database
    .prepare(
      `SELECT DISTINCT trace_id FROM trials WHERE run_id IN (SELECT value FROM json_each(?1)) AND trace_id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM trials AS others WHERE others.trace_id = trials.trace_id
         AND others.run_id NOT IN (SELECT value FROM json_each(?1)))`,
    )
    .all(JSON.stringify(ids))
    .map((row) => String(row.trace_id));
}

/** Removes the texts that no row of any table refers to. All tables are searched, so that none can be forgotten. */
function removeTexts(database: DatabaseSync, unused: Set<string>): void {
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'blobs'").all();
  for (const { name } of tables) {
    for (const row of database.prepare(`SELECT * FROM "${name}"`).iterate()) {
      for (const reference of referencesInRow(row)) unused.delete(reference);
    }
  }
  const deleteText = database.prepare('DELETE FROM blobs WHERE hash = ?');
  for (const reference of unused) deleteText.run(Buffer.from(reference, 'base64url'));
  database.exec('UPDATE purges SET count = count + 1');
}

function referencesInRow(row: Record<string, unknown>): string[] {
  return Object.values(row).flatMap((value) => (typeof value === 'string' ? referencesIn(value) : []));
}

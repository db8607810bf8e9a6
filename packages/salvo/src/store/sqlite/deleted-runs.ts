import type { DatabaseSync } from 'node:sqlite';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { referencesIn } from '../documents/dehydrate.ts';

/** Runs that the user deleted. Every function has to be called inside of a transaction. */
export interface DeletedRuns {
  hide(runId: string): void;
  restore(runId: string): void;
  /** Removes runs that were hidden so long ago, with their trials and every trace and text that nothing else uses. */
  purge(olderThanSeconds: number): void;
  /** Removes runs and experiments, and returns how many of them were there. */
  remove(ids: { runs: readonly string[]; experiments: readonly string[] }): { runs: number; experiments: number };
}

export function deletedRuns(database: DatabaseSync, file: string): DeletedRuns {
  const hide = database.prepare(
    `UPDATE runs SET deleted_at = unixepoch('subsec') WHERE run_id = ? AND deleted_at IS NULL`,
  );
  const restore = database.prepare('UPDATE runs SET deleted_at = NULL WHERE run_id = ? AND deleted_at IS NOT NULL');
  const selectIds = database.prepare(`SELECT run_id FROM runs WHERE deleted_at <= unixepoch('subsec') - ?`);

  return {
    hide(runId) {
      if (hide.run(runId).changes === 0) throw new SalvoError('RUN_UNKNOWN', `There is no run ${runId} in ${file}.`);
    },
    restore(runId) {
      if (restore.run(runId).changes > 0) return;
      throw new SalvoError('RUN_UNKNOWN', `Run ${runId} cannot be restored: it is no deleted run of ${file}.`);
    },
    purge(olderThanSeconds) {
      const ids = selectIds.all(olderThanSeconds).map((row) => String(row.run_id));
      if (ids.length > 0) removeAll(database, { runs: ids, experiments: [] });
    },
    remove: (ids) => removeAll(database, ids),
  };
}

function removeAll(
  database: DatabaseSync,
  ids: { runs: readonly string[]; experiments: readonly string[] },
): { runs: number; experiments: number } {
  const own = 'IN (SELECT value FROM json_each(?))';
  const [runIds, experimentIds] = [JSON.stringify(ids.runs), JSON.stringify(ids.experiments)];
  const traceIds = JSON.stringify(tracesOnlyOf(database, ids.runs));
  const resultIds = JSON.stringify(resultsOf(database, ids.runs));
  const removed = [
    { table: 'trials', where: `run_id ${own}`, keys: runIds },
    { table: 'results', where: `result_id ${own}`, keys: resultIds },
    { table: 'traces', where: `trace_id ${own}`, keys: traceIds },
    { table: 'scenario_figures', where: `run_id ${own}`, keys: runIds },
    { table: 'run_scenarios', where: `run_id ${own}`, keys: runIds },
    { table: 'runs', where: `run_id ${own}`, keys: runIds },
    { table: 'leases', where: `kind = 'run' AND work_id ${own}`, keys: runIds },
    { table: 'games', where: `experiment_id ${own}`, keys: experimentIds },
    { table: 'game_code', where: `experiment_id ${own}`, keys: experimentIds },
    { table: 'lost_costs', where: `experiment_id ${own}`, keys: experimentIds },
    { table: 'experiments', where: `experiment_id ${own}`, keys: experimentIds },
    { table: 'leases', where: `kind = 'experiment' AND work_id ${own}`, keys: experimentIds },
  ];
  const unused = new Set<string>();
  const counts = new Map<string, number>();
  for (const { table, where, keys } of removed) {
    for (const row of database.prepare(`SELECT * FROM ${table} WHERE ${where}`).iterate(keys)) {
      for (const reference of referencesInRow(row)) unused.add(reference);
    }
    counts.set(table, Number(database.prepare(`DELETE FROM ${table} WHERE ${where}`).run(keys).changes));
  }
  removeTexts(database, unused);
  return { runs: counts.get('runs') ?? 0, experiments: counts.get('experiments') ?? 0 };
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
      `SELECT DISTINCT trace_id FROM trials WHERE run_id IN (SELECT value FROM json_each(:ids)) AND trace_id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM trials AS others WHERE others.trace_id = trials.trace_id
         AND others.run_id NOT IN (SELECT value FROM json_each(:ids)))`,
    )
    .all({ ids: JSON.stringify(ids) })
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

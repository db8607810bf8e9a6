import type { DatabaseSync } from 'node:sqlite';
import { referencesIn } from '../documents/dehydrate.ts';
import type { WorkTables } from '../table-module.ts';

/** Removes runs and the work of modules for good. Every function has to be called inside of a transaction. */
export function deletedRuns(database: DatabaseSync) {
  const selectIds = database.prepare(`SELECT run_id FROM runs WHERE deleted_at <= unixepoch('subsec') - ?`);

  return {
    /** Removes runs that were hidden so long ago, with their trials and every trace and text that nothing else uses. */
    purge(olderThanSeconds: number): void {
      const ids = selectIds.all(olderThanSeconds).map((row) => String(row.run_id));
      if (ids.length > 0) removeAll(database, 'run', ids, ofRuns(database, ids));
    },
    /** Removes runs, or work of a module, and returns how many of them were there. */
    remove: (ids: readonly string[], work?: WorkTables) =>
      removeAll(
        database,
        work?.kind ?? 'run',
        ids,
        work?.tables.map((table) => ({ table, column: work.column, keys: ids })) ?? ofRuns(database, ids),
      ),
  };
}

/** Rows to remove: those whose column has one of the keys. */
interface Doomed {
  table: string;
  column: string;
  keys: readonly unknown[];
}

/** Those that refer to others come first. */
function ofRuns(database: DatabaseSync, ids: readonly string[]): Doomed[] {
  return [
    { table: 'trials', column: 'run_id', keys: ids },
    { table: 'results', column: 'result_id', keys: resultsOf(database, ids) },
    { table: 'traces', column: 'trace_id', keys: tracesOnlyOf(database, ids) },
    { table: 'scenario_figures', column: 'run_id', keys: ids },
    { table: 'run_scenarios', column: 'run_id', keys: ids },
    { table: 'runs', column: 'run_id', keys: ids },
  ];
}

/** Returns how many rows of the last table were there. */
function removeAll(database: DatabaseSync, kind: string, ids: readonly string[], doomed: readonly Doomed[]): number {
  const unused = new Set<string>();
  let count = 0;
  for (const { table, column, keys } of doomed) {
    const chosen = `FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?))`;
    for (const row of database.prepare(`SELECT * ${chosen}`).iterate(JSON.stringify(keys))) {
      for (const reference of referencesInRow(row)) unused.add(reference);
    }
    count = Number(database.prepare(`DELETE ${chosen}`).run(JSON.stringify(keys)).changes);
  }
  database
    .prepare('DELETE FROM leases WHERE kind = ? AND work_id IN (SELECT value FROM json_each(?))')
    .run(kind, JSON.stringify(ids));
  removeTexts(database, unused);
  return count;
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

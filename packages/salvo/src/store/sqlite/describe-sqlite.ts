import type { DatabaseSync } from 'node:sqlite';
import type { StoreDescription } from '../store.ts';

export function describeSqlite(database: DatabaseSync, file: string): StoreDescription {
  const number = (sql: string): number => Number(Object.values(database.prepare(sql).get() ?? {})[0] ?? 0);
  const names = database
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('purges', 'schema_parts') ORDER BY name",
    )
    .all()
    .map((row) => String(row.name));
  const held = database
    .prepare(
      `SELECT kind, work_id FROM leases WHERE holder IS NOT NULL AND expires_at > unixepoch('subsec') ORDER BY work_id`,
    )
    .all();
  return {
    server: `SQLite ${Object.values(database.prepare('SELECT sqlite_version()').get() ?? {})[0]}`,
    place: file,
    schema_version: number('PRAGMA user_version'),
    bytes: number('PRAGMA page_count') * number('PRAGMA page_size'),
    tables: names.map((name) => ({ name, rows: number(`SELECT count(*) FROM "${name}"`), bytes: null })),
    under_way: held.map((row) => ({ kind: String(row.kind), id: String(row.work_id) })),
  };
}

import { DatabaseSync } from 'node:sqlite';

/** Prints a store as SQL: `node dump.ts .salvo/salvo.db > N-COMMIT.sql`. */
const database = new DatabaseSync(process.argv[2] ?? '.salvo/salvo.db');
const pragma = (name: string): number => Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
const lines: string[] = [];
for (const { name, sql } of database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").all()) {
  lines.push(`${sql};`);
  for (const row of database.prepare(`SELECT * FROM "${name}"`).all()) {
    lines.push(`INSERT INTO "${name}" VALUES (${Object.values(row).map(literal).join(', ')});`);
  }
}
for (const { sql } of database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql NOT NULL").all()) {
  lines.push(`${sql};`);
}
lines.push(`PRAGMA application_id = ${pragma('application_id')};`, `PRAGMA user_version = ${pragma('user_version')};`);
process.stdout.write(`${lines.join('\n')}\n`);

function literal(value: unknown): string {
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`;
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}

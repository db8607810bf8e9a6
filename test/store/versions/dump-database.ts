import pg from 'pg';
import { STORE_PART } from '../../../packages/salvo-postgres/src/store/schema.ts';

/** Prints the store in a PostgreSQL database as SQL: `node dump-database.ts URL > postgres/NN-COMMIT.sql`. */
const client = new pg.Client({ connectionString: process.argv[2] });
await client.connect();
const { rows: parts } = await client.query(`SELECT version FROM salvo.schema_parts WHERE name = '${STORE_PART.name}'`);
const version = Number(parts[0]?.version);
const created = STORE_PART.migrations
  .slice(0, version)
  .map((step) => (typeof step === 'string' ? step : step.sql))
  .join('\n');
const lines = [
  'CREATE SCHEMA salvo;',
  'CREATE TABLE salvo.schema_parts (name text PRIMARY KEY, version integer NOT NULL);',
  `INSERT INTO salvo.schema_parts VALUES ('${STORE_PART.name}', ${version});`,
  created,
];
for (const [, table] of created.matchAll(/CREATE TABLE salvo\.(\w+)/g)) {
  const { rows, fields } = await client.query({ text: `SELECT * FROM salvo.${table}`, rowMode: 'array' });
  const columns = fields.map(({ name }) => `"${name}"`).join(', ');
  lines.push(`DELETE FROM salvo.${table};`);
  for (const row of rows) {
    const values = row.map((value: unknown) => literal(value)).join(', ');
    lines.push(`INSERT INTO salvo.${table} (${columns}) OVERRIDING SYSTEM VALUE VALUES (${values});`);
  }
  // What is written next comes after these rows.
  if (columns.includes('"seq"')) {
    lines.push(
      `SELECT setval(pg_get_serial_sequence('salvo.${table}', 'seq'), (SELECT coalesce(max(seq), 0) + 1 FROM salvo.${table}));`,
    );
  }
}
await client.end();
process.stdout.write(`${lines.join('\n')}\n`);

function literal(value: unknown): string {
  if (value === null) return 'NULL';
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`;
  const text = value instanceof Date ? value.toISOString() : String(value);
  return `'${text.replaceAll("'", "''")}'`;
}

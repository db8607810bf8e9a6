import { hash } from 'node:crypto';
import type { Work } from 'salvo/kit/queue';
import {
  type Change,
  type ColumnValue,
  type Decoder,
  databaseValue,
  PLAIN_DOCUMENTS,
  type Statement,
  statementSql,
  type TableEngine,
  type TableModule,
  type TableRow,
  type TableWrite,
  tableNames,
  textsOf,
  type WorkTables,
} from 'salvo/kit/store';
import { errorCode } from 'salvo/kit/text';
import { SCHEMA } from '../postgres/migrate-schema.ts';
import type { Row, Transaction } from '../postgres/postgres.ts';
import { changesSince } from './changes.ts';
import { columnText, textInColumn, withTexts } from './column-text.ts';
import { importWhole } from './imports.ts';
import type { StoreDatabase, Write } from './store-database.ts';

interface EngineParts {
  database: StoreDatabase;
  /** Resolves when the tables of the module are those of its version. */
  prepare: (module: TableModule) => Promise<void>;
  write: <T>(write: Write<T>) => Promise<T>;
  /** Refused if the work is another's by now, or with `whenIdle` if it is anybody's. */
  writeTo: <T>(work: Work, write: Write<T>, whenIdle?: boolean) => Promise<T>;
}

export const qualified = (table: string): string => `${SCHEMA}.${table}`;
const STAMP = { written: 'pg_current_xact_id()' };
const FOREIGN_KEY = '23503';
const NO_WORK: WorkTables = { kind: '', column: '', tables: [], followed: {} };

interface PostgresEngine extends TableEngine {
  /** For a transaction that has more in it. */
  writeOf<T>(write: TableWrite<T>): Write<T>;
}

/** The tables of a module, in PostgreSQL. */
export function tableEngine(module: TableModule, { database, prepare, write, writeTo }: EngineParts): PostgresEngine {
  const { kind, column, tables, followed } = module.work ?? NO_WORK;
  const stamps = Object.fromEntries(Object.keys(followed).map((table) => [table, STAMP]));
  const dialect = { qualified, lock: ' FOR UPDATE', stamps };

  async function answered<T>(
    sql: Transaction,
    change: Change<T>,
    statement: Statement,
  ): Promise<IteratorResult<Statement, T>> {
    const { text, values } = statementSql(statement, dialect);
    let rows: Row[];
    try {
      rows = await sql.query(text, values.map(inColumn), nameOf(text));
    } catch (error) {
      return change.throw(error);
    }
    return change.next(rows);
  }

  function writeOf<T>({ documents, change }: TableWrite<T>): Write<T> {
    return {
      texts: textsOf(documents),
      async change(sql) {
        const made = change(sql.isRepeated);
        let step = made.next();
        while (!step.done) step = await answered(sql, made, step.value);
        return step.value;
      },
    };
  }

  return {
    ...PLAIN_DOCUMENTS,
    writeOf,
    dialect: 'postgres',
    place: database.place,
    async select(text, values, read) {
      await prepare(module);
      const full = tableNames(text, qualified);
      const { rows, decode } = await database.select(full, values.map(inColumn), nameOf(full));
      return rows.map((row) => read(tableRow(row, decode)));
    },
    async write(given) {
      await prepare(module);
      if (given.to === null) return await write(writeOf(given));
      return await writeTo({ kind, id: given.to }, writeOf(given), given.whenIdle);
    },
    isDangling: (error) => errorCode(error) === FOREIGN_KEY,
    async changes({ table, id, columns, cursor }, read) {
      await prepare(module);
      const from = { table, owner: column, id: columnText(id), columns, key: followed[table] ?? [] };
      const page = await changesSince(database, from, cursor);
      return { rows: page.rows.map((row) => read(tableRow(row, page.decode))), cursor: page.cursor };
    },
    async importWork(id, fill) {
      await prepare(module);
      return await importWhole(database, { name: tables.at(-1) ?? '', key: column, id }, (add) =>
        fill((each) => add(writeOf(each))),
      );
    },
  };
}

/** The server keeps the plan of a statement under this name. */
function nameOf(text: string): string {
  return `module-${hash('sha1', text)}`;
}

function inColumn(value: ColumnValue): unknown {
  return databaseValue(value, { text: columnText, list: (texts) => texts.map(columnText) });
}

function tableRow(row: Row, decode: Decoder): TableRow {
  return {
    decode,
    columns: (texts) => withTexts(row, texts),
    isNull: (column) => row[column] === null,
    text: (column) => textInColumn(String(row[column])),
    number: (column) => Number(row[column]),
    document: (column, what, schema, complete) => decode(what, schema, String(row[column]), complete),
  };
}

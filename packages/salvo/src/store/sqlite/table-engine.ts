import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Work } from '../../queue/lease.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { remembered } from '../../text/memo.ts';
import type { Decoder } from '../documents/document-codec.ts';
import {
  type Change,
  type ColumnValue,
  databaseValue,
  PLAIN_DOCUMENTS,
  type Row,
  type Statement,
  statementSql,
  type TableEngine,
  type TableModule,
  type TableRow,
  tableNames,
  textsOf,
  type WorkModule,
} from '../table-module.ts';
import type { Write } from './blob-table.ts';
import { isForeignKeyError } from './sqlite-error.ts';
import type { WriteQueue } from './write-queue.ts';

interface EngineParts {
  database: DatabaseSync;
  file: string;
  decode: Decoder;
  queue: WriteQueue;
  read: <T>(query: () => T) => Promise<T>;
  write: <T>(change: Write<T>) => Promise<T>;
  /** Refused if another process works on it, or with `whenIdle` any process. */
  writeTo: <T>(work: Work, change: Write<T>, whenIdle?: boolean) => Promise<T>;
  /** A store that is closed waits for these. */
  loads: Promise<unknown>[];
}

const ownName = (table: string): string => table;
const DIALECT = { qualified: ownName, lock: '' };
const FORMS = { text: (text: string) => text, list: (texts: readonly string[]) => JSON.stringify(texts) };

/** The tables of modules, in SQLite. */
export function sqliteTables(parts: EngineParts) {
  const { database, file, decode, queue, read } = parts;
  const statements = new Map<string, PreparedStatement>();
  const preparing = new Map<string, Promise<void>>();

  /** Resolves when the tables of the module are those of its version. */
  function prepare(module: Pick<WorkModule, 'name' | 'migrations'>): Promise<void> {
    const { name } = module;
    return remembered(preparing, name, () => {
      const migrating = migrate(module).catch((error: unknown) => {
        preparing.delete(name);
        throw error;
      });
      parts.loads.push(migrating);
      return migrating;
    });
  }

  async function migrate(module: Pick<WorkModule, 'name' | 'migrations'>): Promise<void> {
    const { migrateModule } = await import('./migrate-module.ts');
    await migrateModule({ database, file, queue, read }, module);
  }

  function all(text: string, values: readonly ColumnValue[]): Row[] {
    const { statement, order } = remembered(statements, text, () => prepared(database, text));
    return statement.all(...order.map((index) => databaseValue(values[index] ?? null, FORMS)));
  }

  function execute(statement: Statement): Row[] {
    const { text, values } = 'text' in statement ? statement : statementSql(statement, DIALECT);
    return all(text, values);
  }

  function make<T>(change: Change<T>): T {
    let step = change.next();
    while (!step.done) step = answered(change, step.value);
    return step.value;
  }

  function answered<T>(change: Change<T>, statement: Statement): IteratorResult<Statement, T> {
    let rows: Row[];
    try {
      rows = execute(statement);
    } catch (error) {
      return change.throw(error);
    }
    return change.next(rows);
  }

  return {
    prepare,
    engineOf: ({ name, migrations, work }: TableModule): TableEngine => ({
      ...PLAIN_DOCUMENTS,
      dialect: 'sqlite',
      place: file,
      async select(text, values, readRow) {
        if (migrations) await prepare({ name, migrations });
        return await read(() => all(text, values).map((row) => readRow(tableRow(row, decode))));
      },
      async write({ to, documents, change, whenIdle }) {
        if (migrations) await prepare({ name, migrations });
        const write = { blobs: textsOf(documents), change: () => make(change(false)) };
        if (to === null) return await parts.write(write);
        return await parts.writeTo({ kind: work?.kind ?? name, id: to }, write, whenIdle);
      },
      isDangling: isForeignKeyError,
      changes: () => onlyShared(file),
      importWork: () => onlyShared(file),
    }),
  };
}

interface PreparedStatement {
  statement: StatementSync;
  /** Positions of the values, as the statement uses them: they are bound faster than by name. */
  order: number[];
}

function prepared(database: DatabaseSync, text: string): PreparedStatement {
  const order: number[] = [];
  const sql = tableNames(text, ownName)
    // SQLite has no lists: they are arrays of JSON.
    .replace(/= ANY \((\$\d+)\)/g, 'IN (SELECT value FROM json_each($1))')
    .replace(/\$(\d+)/g, (_, number: string) => {
      order.push(Number(number) - 1);
      return '?';
    });
  return { statement: database.prepare(sql), order };
}

function onlyShared(file: string): Promise<never> {
  return Promise.reject(new SalvoError('DATABASE_MISSING', `${file} is no database that processes work on together.`));
}

function tableRow(row: Row, decode: Decoder): TableRow {
  return {
    decode,
    columns: () => row,
    isNull: (column) => row[column] === null,
    text: (column) => String(row[column]),
    number: (column) => Number(row[column]),
    document: (column, what, schema, complete) => decode(what, schema, String(row[column]), complete),
  };
}

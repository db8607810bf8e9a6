import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Work } from '../../queue/lease.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { remembered } from '../../text/memo.ts';
import type { Decoder } from '../documents/document-codec.ts';
import {
  type Change,
  type ColumnValue,
  PLAIN_DOCUMENTS,
  plainValue,
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
  writeTo: <T>(work: Work, change: Write<T>) => Promise<T>;
  /** A store that is closed waits for these. */
  loads: Promise<unknown>[];
}

/** The tables of modules, in SQLite. */
export interface SqliteTables {
  engineOf(module: TableModule): TableEngine;
  /** Resolves when the tables of the module are those of its version. */
  prepare(module: TableModule): Promise<void>;
}

const ownName = (table: string): string => table;
const DIALECT = { qualified: ownName, lock: '' };

export function sqliteTables(parts: EngineParts): SqliteTables {
  const { database, file, decode, queue, read } = parts;
  const statements = new Map<string, StatementSync>();
  const preparing = new Map<string, Promise<void>>();

  async function migrate(module: Pick<WorkModule, 'name' | 'migrations'>): Promise<void> {
    const { migrateModule } = await import('./migrate-module.ts');
    await migrateModule({ database, file, queue, read }, module);
  }

  function prepare(module: TableModule): Promise<void> {
    const { name, migrations } = module;
    if (!migrations) return Promise.resolve();
    return remembered(preparing, name, () => {
      const migrating = migrate({ name, migrations }).catch((error: unknown) => {
        preparing.delete(name);
        throw error;
      });
      parts.loads.push(migrating);
      return migrating;
    });
  }

  function all(text: string, values: readonly ColumnValue[]): Row[] {
    const statement = statements.get(text) ?? database.prepare(text);
    statements.set(text, statement);
    return statement.all(Object.fromEntries(values.map((value, index) => [`$${index + 1}`, plainValue(value)])));
  }

  function execute(statement: Statement): Row[] {
    const { text, values } = statementSql(statement, DIALECT);
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
    engineOf: (module) => ({
      ...PLAIN_DOCUMENTS,
      dialect: 'sqlite',
      async select(text, values, readRow) {
        await prepare(module);
        return await read(() => all(tableNames(text, ownName), values).map((row) => readRow(tableRow(row, decode))));
      },
      async write({ to, documents, change }) {
        await prepare(module);
        const write = { blobs: textsOf(documents), change: () => make(change()) };
        return await (to === null
          ? parts.write(write)
          : parts.writeTo({ kind: module.work?.kind ?? module.name, id: to }, write));
      },
      isDangling: isForeignKeyError,
      changes: () => onlyShared(file),
      importWork: () => onlyShared(file),
    }),
  };
}

function onlyShared(file: string): Promise<never> {
  return Promise.reject(new SalvoError('DATABASE_MISSING', `${file} is no database that processes work on together.`));
}

function tableRow(row: Row, decode: Decoder): TableRow {
  return {
    isNull: (column) => row[column] === null,
    text: (column) => String(row[column]),
    number: (column) => Number(row[column]),
    document: (column, what, schema, complete) => decode(what, schema, String(row[column]), complete),
  };
}

import type { z } from 'zod';
import type { Dehydrated } from './documents/dehydrate.ts';
import { type Decoder, encodeVersioned, readEach } from './documents/document-codec.ts';
import type { Completion } from './documents/earlier-documents.ts';

/**
 * Tables of every store, written once for all databases: SQL that both SQLite and PostgreSQL understand, with `$1` for
 * values, `= ANY ($1)` for one of a list, and `@name` for the table `name`.
 */
export interface TableModule<Tables = unknown> {
  /** Unique: a store keeps under it how many of the migrations it has had. */
  readonly name: string;
  /** Each entry brings the tables to the next version. Append only. Missing if every store has the tables by itself. */
  readonly migrations?: Migrations;
  /** Missing if the tables are about no work. */
  readonly work?: WorkTables;
  open(engine: TableEngine): Tables;
}

/** Tables that a package adds to every store, about work of one kind. */
export interface WorkModule<Tables = unknown> extends TableModule<Tables> {
  readonly migrations: Migrations;
  readonly work: WorkTables;
}

type Migrations = Readonly<Record<Dialect, readonly string[]>>;

export type Dialect = 'sqlite' | 'postgres';

/** Where the rows of some work are, so that it can be removed as a whole. */
export interface WorkTables {
  /** Of the work, as in its lease. */
  kind: string;
  /** The column that has the id of the work, in each of the tables. */
  column: string;
  /** Those that refer to others come first. The last one has a row for each work. */
  tables: readonly string[];
  /**
   * Tables whose changes can be followed where several processes write, with the columns that are the rest of their key. In
   * PostgreSQL they have a column `written xid8 NOT NULL`, which `upsert` fills.
   */
  followed: Readonly<Record<string, readonly string[]>>;
}

/** Whatever has the tables of modules. */
export interface TableStore {
  /** What is missing of the tables is made when they are first used. */
  tables<Tables>(module: TableModule<Tables>): Tables;
}

/** What the commands that tend a store need of the tables of a package. */
export interface TendedTables {
  /** The newest first, in the order of their creation. Those that can't be read are left out. */
  listWork(onUnreadable: (id: string) => void): Promise<ListedWork[]>;
  /** Copies one from another store, as a whole or not at all. False if it is there already. */
  importWork(source: TableStore, id: string): Promise<boolean>;
}

interface ListedWork {
  id: string;
  /** `running`, or another word if it has ended. */
  status: string;
  created_at: string;
  finished_at: string | null;
}

declare module '../extension/extension.ts' {
  interface Doors {
    /** What is imported, pruned and migrated together with the runs of a store. */
    tables: WorkModule<TendedTables>;
  }
}

/** A document in the form in which it is stored, and what it says then: without secrets. */
export interface StoredDocument<T = unknown> extends Dehydrated {
  value: T;
}

/** A document is a value as a whole; a string is a short text of its own. A list is for `= ANY ($1)`. */
export type ColumnValue = string | number | null | Uint8Array | StoredDocument | readonly string[];

export type Row = Record<string, unknown>;

/** A row that was selected. */
export interface TableRow {
  isNull(column: string): boolean;
  text(column: string): string;
  number(column: string): number;
  /** Throws if the document can't be read. `what` begins the message. */
  document<T>(column: string, what: string, schema: z.ZodType<T>, complete?: Completion): T;
  /** All columns as they are stored, `texts` as they were before that. `decode` reads the documents among them. */
  columns(texts: readonly string[]): Row;
  readonly decode: Decoder;
}

/** A statement of a change. */
export type Statement =
  | { text: string; values: readonly ColumnValue[]; locks: boolean }
  | { table: string; key: Readonly<Record<string, ColumnValue>>; columns: Readonly<Record<string, ColumnValue>> };

/**
 * What is done inside of a transaction: a generator, so that a database without waiting (SQLite) and one with it
 * (PostgreSQL) can make the same change. It may be made again from the start, after all that it did was undone.
 */
export type Change<T = void> = Generator<Statement, T, Row[]>;

/** A transaction: all of it happens, or nothing. */
export interface TableWrite<T = void> {
  /** The id of the work that it is for: refused if another process works on that by now. Null: whoever works on it. */
  to: string | null;
  /** Refused while any process works on it, this one included. */
  whenIdle?: boolean;
  /** Those among the values of the change. */
  documents: readonly StoredDocument[];
  /** `isRepeated`: the same change may have been made already, by an attempt whose commit got no answer. */
  change: (isRepeated: boolean) => Change<T>;
}

/** What a module gets from a store. */
export interface TableEngine {
  readonly dialect: Dialect;
  /** Where the store is, for messages. */
  readonly place: string;
  select<T>(text: string, values: readonly ColumnValue[], read: (row: TableRow) => T): Promise<T[]>;
  write<T>(write: TableWrite<T>): Promise<T>;
  /** The document without its secrets, as the schema marks its texts. The only way in which a document gets into a store. */
  document<T extends object>(what: string, schema: z.ZodType<T>, value: T): StoredDocument<T>;
  /** For what is useless with a redacted part: the whole document, or null if it must not be stored like that. */
  exactDocument<T extends object>(what: string, value: T): StoredDocument<T> | null;
  /** False if texts are not recorded: they are marked as such in every document. */
  readonly keepsTexts: boolean;
  /** Whether a change failed because a row refers to one that is not there. */
  isDangling(error: unknown): boolean;
  /**
   * Rows of a followed table that changed since a cursor (`WorkerAccess.cursor`): a page of them, none if nothing did. The
   * same may come twice, and none is missed. Throws if no other process can write to this store.
   */
  changes<T>(
    query: { table: string; id: string; columns: string; cursor: string },
    read: (row: TableRow) => T,
  ): Promise<{ rows: T[]; cursor: string }>;
  /**
   * Makes many writes in one transaction, unless the work is there already: then it returns false. Throws if nothing can
   * be imported to this store.
   */
  importWork(id: string, fill: (add: (write: TableWrite<unknown>) => Promise<void>) => Promise<void>): Promise<boolean>;
}

/** Any statement, in a change. The rows have documents and texts as they are stored. */
export function* query(text: string, values: readonly ColumnValue[]): Change<Row[]> {
  return yield { text, values, locks: false };
}

/** Selects rows that no other process can change until the end of the transaction. */
export function* selectLocked(text: string, values: readonly ColumnValue[]): Change<Row[]> {
  return yield { text, values, locks: true };
}

/** False, and nothing is done, if there is a row with the same key. */
export function* insert(table: string, columns: Readonly<Record<string, ColumnValue>>): Change<boolean> {
  const names = Object.keys(columns);
  const values = names.map((_, index) => `$${index + 1}`);
  const text = `INSERT INTO @${table} (${names.join(', ')}) VALUES (${values.join(', ')}) ON CONFLICT DO NOTHING RETURNING 1`;
  return (yield* query(text, Object.values(columns))).length > 0;
}

/** Replaces the row with the same key. */
export function* upsert(
  table: string,
  key: Readonly<Record<string, ColumnValue>>,
  columns: Readonly<Record<string, ColumnValue>>,
): Change {
  yield { table, key, columns };
}

/** Selects rows without those whose document can't be read, which are passed to `onUnreadable`. */
export async function selectReadable<T>(
  engine: TableEngine,
  { text, values }: { text: string; values: readonly ColumnValue[] },
  read: (row: TableRow) => T,
  onUnreadable: (row: TableRow, why: string) => void,
): Promise<T[]> {
  const found = await engine.select(text, values, (row) =>
    readEach([row], read, (_, { why }) => onUnreadable(row, why)),
  );
  return found.flat();
}

/** For engines: a statement in SQL. `qualified` gives the full name of a table. */
export function statementSql(
  statement: Statement,
  { qualified, lock, stamps = {} }: StatementDialect,
): { text: string; values: readonly ColumnValue[] } {
  if ('text' in statement) {
    const { text, values, locks } = statement;
    return { text: tableNames(text, qualified) + (locks ? lock : ''), values };
  }
  const { table, key, columns } = statement;
  const given = Object.entries({ ...key, ...columns });
  const stamped = Object.entries(stamps[table] ?? {});
  const names = [...given, ...stamped].map(([name]) => name);
  const values = [...given.map((_, index) => `$${index + 1}`), ...stamped.map(([, value]) => value)];
  const set = names.filter((name) => !(name in key)).map((name) => `${name} = excluded.${name}`);
  return {
    text: `INSERT INTO ${qualified(table)} (${names.join(', ')}) VALUES (${values.join(', ')})
           ON CONFLICT (${Object.keys(key).join(', ')}) DO UPDATE SET ${set.join(', ')}`,
    values: given.map(([, value]) => value),
  };
}

interface StatementDialect {
  qualified: (table: string) => string;
  /** What makes a SELECT lock its rows. */
  lock: string;
  /** SQL of columns that `upsert` fills, by table. */
  stamps?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** For engines: `@name` becomes the full name of the table. */
export function tableNames(text: string, qualified: (table: string) => string): string {
  return text.replace(/@(\w+)/g, (_, name: string) => qualified(name));
}

/** For engines: documents of a store that redacts nothing. `redacting-store.ts` puts redaction in front of it. */
export const PLAIN_DOCUMENTS: Pick<TableEngine, 'document' | 'exactDocument' | 'keepsTexts'> = {
  document: (what, _schema, value) => ({ value, ...encodeVersioned(what, value) }),
  exactDocument: (what, value) => ({ value, ...encodeVersioned(what, value) }),
  keepsTexts: true,
};

/** For engines: a value as the database takes it. */
export function databaseValue<List>(
  value: ColumnValue,
  given: { text: (text: string) => string; list: (texts: readonly string[]) => List },
): string | number | null | Uint8Array | List {
  if (typeof value === 'string') return given.text(value);
  if (isDocument(value)) return value.document;
  return value === null || typeof value === 'number' || value instanceof Uint8Array ? value : given.list(value);
}

export function isDocument(value: ColumnValue): value is StoredDocument {
  return typeof value === 'object' && value !== null && 'document' in value;
}

/** For engines: the long texts of a write. */
export function textsOf(documents: readonly StoredDocument[]): Map<string, string> {
  return new Map(documents.flatMap(({ blobs }) => [...blobs]));
}

/** Reads page after page, as they are consumed. `pageAfter` gets the last of the page before. */
export async function* readPages<T>(
  pageAfter: (last: T | undefined) => T[] | Promise<T[]>,
  size: number,
): AsyncGenerator<T> {
  let page: T[] = [];
  do {
    page = await pageAfter(page.at(-1));
    yield* page;
  } while (page.length === size);
}

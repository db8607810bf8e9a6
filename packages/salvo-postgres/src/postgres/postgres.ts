import pg from 'pg';
import type { DatabasePatience } from 'salvo/kit/commands';
import { SalvoError } from 'salvo/kit/text';
import { firstAnswer } from './first-answer.ts';
import { createOutagePatience } from './outage-patience.ts';
import { type DatabasePlace, isConnectionLost, isPlanLost, postgresError } from './postgres-error.ts';
import { connectionSettings } from './postgres-tls.ts';
import { readPostgresUrl } from './postgres-url.ts';

export type Row = Record<string, unknown>;

/** Statements on one connection, or inside a transaction. */
export interface Sql {
  /** With `name`, the server keeps the plan of the statement for the next time. */
  query(text: string, values?: unknown[], name?: string): Promise<Row[]>;
  /** One or several statements without values. */
  executeSql(text: string): Promise<unknown>;
}

export interface Transaction extends Sql {
  /** The connection was lost while an earlier attempt was committed: its effect may be there already. */
  readonly isRepeated: boolean;
  /** What the statements of `first` returned. */
  readonly first: Row[][];
}

/**
 * A PostgreSQL database. A statement or transaction whose connection is lost is repeated, so everything that is sent must
 * have the same effect twice as once. Errors are for the user.
 */
export interface Postgres extends Sql, AsyncDisposable {
  /** For messages: `host:port/name`. */
  readonly place: string;
  /**
   * Everything of `work`, or nothing. `work` may be called again, after what it did was undone. `around` is sent
   * together with the begin and the end of the transaction, which saves the time of further messages.
   */
  transaction<T>(work: (sql: Transaction) => Promise<T>, around?: { first?: string; last?: string }): Promise<T>;
  /** Calls `heard` whenever somebody notifies the channel, and once after a time in which it could not listen. */
  listen(channel: string, heard: (payload: string) => void): Promise<AsyncDisposable>;
  close(): Promise<void>;
}

/** A statement as `pg` wants it. */
type StatementOf = (text: string, values: unknown[] | undefined, name: string | undefined) => pg.QueryConfig;

const ABOUT_SERVER = `SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding`;
const OLDEST_SERVER = 140_000;
const CONNECT_TIMEOUT_MS = 10_000;

export interface PostgresOptions {
  url: string;
  connections?: number;
  /** If not given, a database that can't be reached at the start is an error, and a later outage is after a minute. */
  patience?: DatabasePatience | undefined;
}

export async function openPostgres(options: PostgresOptions): Promise<Postgres> {
  const at = readPostgresUrl(options.url);
  const settings: pg.ClientConfig = {
    ...connectionSettings(options.url),
    application_name: 'salvo',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  };
  const pool = new pg.Pool({ ...settings, max: options.connections ?? 10 });
  // An idle connection that breaks is replaced by the pool.
  pool.on('error', () => {});
  // The server may end a connection in the same packet that says that it is ready. Then `pg` reports it before the code
  // that waits for the connection can listen, and an error without a listener ends the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  let closed: Promise<void> | undefined;
  let closing = false;
  const close = () => {
    closing = true;
    closed ??= pool.end();
    return closed;
  };

  try {
    const { rows } = await firstAnswer(() => pool.query(ABOUT_SERVER), { place: at.place, ...options });
    const version = Number(rows[0]?.version);
    if (version < OLDEST_SERVER) throw tooOld(at, version);
    if (rows[0]?.encoding !== 'UTF8') throw notUnicode(at, String(rows[0]?.encoding));
  } catch (error) {
    await close();
    throw postgresError(at, error);
  }

  /** Not behind a pooler that gives a transaction another connection, which does not have the plans of the last one. */
  let keepsPlans = true;
  const statementOf: StatementOf = (text, values, name) =>
    name && keepsPlans ? { text, values, name } : { text, values };

  const { patience } = options;
  const waitForIt = createOutagePatience({ at, patience, isClosing: () => closing });
  const patiently = <T>(attempt: () => Promise<T>): Promise<T> =>
    waitForIt(async () => {
      try {
        return await attempt();
      } catch (error) {
        if (!isPlanLost(error) || !keepsPlans) throw error;
        keepsPlans = false;
        return await attempt();
      }
    });

  return {
    place: at.place,
    query: (text, values = [], name) => patiently(async () => (await pool.query(statementOf(text, values, name))).rows),
    executeSql: (text) => patiently(() => pool.query(text)),
    transaction(work, around = {}) {
      const state = { isRepeated: false };
      return patiently(() => transactOnce({ pool, statementOf }, work, around, state));
    },
    listen: (channel, heard) => listenOn(settings, channel, heard, patiently),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function transactOnce<T>(
  { pool, statementOf }: { pool: pg.Pool; statementOf: StatementOf },
  work: (sql: Transaction) => Promise<T>,
  { first = '', last = '' }: { first?: string; last?: string },
  state: { isRepeated: boolean },
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  let isCommitting = false;
  // Without this, a connection that breaks between two statements would end the process.
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  try {
    // A process that is paused in the middle must not block the others for long.
    const begun: unknown = await client.query(`BEGIN; SET LOCAL idle_in_transaction_session_timeout = '30s'; ${first}`);
    const results: pg.QueryResult[] = Array.isArray(begun) ? begun.slice(2) : [];
    const { isRepeated } = state;
    const value = await work({ ...sqlOf(client, statementOf), isRepeated, first: results.map(({ rows }) => rows) });
    isCommitting = true;
    await client.query(last === '' ? 'COMMIT' : `${last}; COMMIT`);
    return value;
  } catch (error) {
    if (isCommitting && isConnectionLost(error)) state.isRepeated = true;
    await client.query('ROLLBACK').catch((failure: Error) => {
      broken ??= failure;
    });
    throw error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

function sqlOf(client: pg.ClientBase, statementOf: StatementOf): Sql {
  return {
    query: async (text, values = [], name) => (await client.query(statementOf(text, values, name))).rows,
    executeSql: (text) => client.query(text),
  };
}

/** A connection of its own, made again whenever it breaks. */
async function listenOn(
  settings: pg.ClientConfig,
  channel: string,
  heard: (payload: string) => void,
  patiently: <T>(attempt: () => Promise<T>) => Promise<T>,
): Promise<AsyncDisposable> {
  let ended = false;
  let client: pg.Client | undefined;
  async function connect(): Promise<void> {
    const fresh = new pg.Client(settings);
    let broken = false;
    const reconnect = () => {
      if (broken || ended || client !== fresh) return;
      broken = true;
      // Given up after the patience of every statement: a listener polls as well.
      patiently(connect).then(
        () => heard(''),
        () => {},
      );
    };
    fresh.on('error', reconnect);
    fresh.on('end', reconnect);
    fresh.on('notification', ({ payload }) => heard(payload ?? ''));
    await fresh.connect();
    await fresh.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    client = fresh;
    if (ended) await fresh.end();
  }
  await patiently(connect);
  return {
    async [Symbol.asyncDispose]() {
      ended = true;
      await client?.end().catch(() => {});
    },
  };
}

function tooOld({ place }: DatabasePlace, version: number): SalvoError {
  return new SalvoError(
    'DATABASE_SERVER_TOO_OLD',
    `The database ${place} is PostgreSQL ${Math.floor(version / 10_000)}. Salvo needs ${OLDEST_SERVER / 10_000} or later.`,
  );
}

function notUnicode({ place, database }: DatabasePlace, encoding: string): SalvoError {
  return new SalvoError(
    'DATABASE_ENCODING_INVALID',
    `The database ${place} has the encoding ${encoding}, which lacks characters. Create one with UTF8: createdb --encoding=UTF8 --template=template0 ${database}.`,
  );
}

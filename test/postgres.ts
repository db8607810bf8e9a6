import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

/** A new database for one test file. */
export interface TestDatabase extends AsyncDisposable {
  url: string;
  /** Statements of a test, past everything of ours. */
  query(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
}

let ownServer: Promise<PostgresServer> | undefined;

/**
 * A new, empty database on the server of all tests, on the one at `SALVO_TEST_DATABASE_URL`, or on one that is started
 * for this process if it is no test. Dispose of it when the test file ends. `onServer`: on that one instead.
 */
export async function createDatabase(onServer?: { url: string }): Promise<TestDatabase> {
  const server = onServer?.url ?? (await serverUrl());
  const name = `salvo_test_${randomBytes(6).toString('hex')}`;
  await once(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    query: (sql, values) => once(url.href, sql, values),
    async [Symbol.asyncDispose]() {
      await once(server, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function serverUrl(): Promise<string> {
  const { SALVO_TEST_DATABASE_URL: given, SALVO_TEST_POSTGRES: socket } = process.env;
  if (given) return given;
  if (socket) {
    const answer = await text(connect(socket));
    if (answer.startsWith('postgres://')) return answer;
    throw new Error(answer);
  }
  ownServer ??= startPostgres();
  return (await ownServer).url;
}

async function once(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../../test/postgres.ts';
import { type PostgresServer, startPostgres } from '../../../../test/postgres-server.ts';
import { migrateSchema } from '../../src/postgres/migrate-schema.ts';
import { openPostgres, type Postgres } from '../../src/postgres/postgres.ts';
import { postgresError } from '../../src/postgres/postgres-error.ts';

let database: TestDatabase;
let postgres: Postgres;

beforeAll(async () => {
  database = await createDatabase();
  postgres = await openPostgres({ url: database.url });
});
afterAll(async () => {
  await postgres.close();
  await database[Symbol.asyncDispose]();
});

function changed(change: { [part in 'password' | 'pathname' | 'port' | 'hostname']?: string }): string {
  return Object.assign(new URL(database.url), change).href;
}

test('a transaction that throws leaves nothing behind', async () => {
  await postgres.query('CREATE TABLE numbers (n integer PRIMARY KEY)');
  const failing = postgres.transaction(async (sql) => {
    await sql.query('INSERT INTO numbers VALUES (1)');
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  expect(await postgres.query('SELECT * FROM numbers')).toEqual([]);
});

test('a connection that the server ends as soon as it is ready is replaced', async () => {
  const said = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';
  const end = Buffer.alloc(5, 'E');
  end.writeUInt32BE(4 + said.length, 1);
  let connections = 0;
  let ended = 0;
  const proxy = createServer((client) => {
    const { hostname, port } = new URL(database.url);
    const server = connect(Number(port), hostname);
    connections += 1;
    const isEnded = connections === 2;
    client.on('error', () => {}).on('close', () => server.destroy());
    server.on('error', () => {}).on('close', () => client.destroy());
    client.pipe(server);
    server.on('data', (chunk) => {
      const isReady = chunk.subarray(-6, -1).equals(Buffer.from([0x5a, 0, 0, 0, 5]));
      if (!isEnded || !isReady) return client.write(chunk);
      ended += 1;
      return client.end(Buffer.concat([chunk, end, Buffer.from(said)]));
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  await using own = await openPostgres({ url: changed({ port: String(address.port) }), connections: 2 });
  // The first connection is in use, so the second transaction needs another one.
  const held = Promise.withResolvers<void>();
  const first = own.transaction(() => held.promise);
  expect(await own.transaction((sql) => sql.query('SELECT 1 AS n'))).toEqual([{ n: 1 }]);
  held.resolve();
  await first;
  expect([ended, connections]).toEqual([1, 3]);
  proxy.close();
});

test('named statements work behind a pooler that changes the connection, which has no plans of the last one', async () => {
  await using own = await openPostgres({ url: database.url, connections: 1 });
  const numbers = () => own.query('SELECT $1::int AS n', [1], 'numbers');
  await numbers();
  await own.query('DEALLOCATE ALL');
  expect(await numbers()).toEqual([{ n: 1 }]);

  await using other = await openPostgres({ url: database.url, connections: 1 });
  await other.query("PREPARE taken AS SELECT 'of another process'");
  const transaction = other.transaction((sql) => sql.query('SELECT $1::int AS n', [2], 'taken'));
  expect(await transaction).toEqual([{ n: 2 }]);
});

test('an error of a pooler is a lost connection', () => {
  const place = { place: 'db:6432/evals', database: 'evals', user: 'ada' };
  const said = Object.assign(new Error('no more connections allowed (max_client_conn)'), { code: '08P01' });
  expect(postgresError(place, said)).toMatchObject({
    code: 'DATABASE_UNREACHABLE',
    outcome: 'unscored',
    message: expect.stringContaining('max_client_conn'),
  });
});

describe('an address that does not work is refused at once, in plain words and without its password', () => {
  test.each([
    ['a wrong password', { password: 'hunter2-hunter2' }, 'DATABASE_LOGIN_REFUSED', /refuses user postgres/],
    ['no such database', { pathname: '/nothing' }, 'DATABASE_UNKNOWN', /createdb nothing/],
    ['nobody there', { port: '1' }, 'DATABASE_UNREACHABLE', /127\.0\.0\.1:1\//],
    ['no such host', { hostname: 'nowhere.invalid' }, 'DATABASE_UNREACHABLE', /nowhere\.invalid/],
  ])('%s', async (_, change, code, words) => {
    const failure = await openPostgres({ url: changed(change) }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code, message: expect.stringMatching(words) });
    expect(String(failure)).not.toMatch(/hunter2|test-password/);
  });

  test('no address at all', async () => {
    await expect(openPostgres({ url: 'mysql://root:hunter2@db/x' })).rejects.toMatchObject({
      code: 'DATABASE_URL_INVALID',
      message: expect.not.stringContaining('hunter2'),
    });
  });
});

describe('migrations', () => {
  const first = {
    name: 'test',
    migrations: ['CREATE TABLE salvo.steps (n integer); INSERT INTO salvo.steps VALUES (1)'],
  };
  const second = { name: 'test', migrations: [...first.migrations, 'INSERT INTO salvo.steps VALUES (2)'] };

  test('each is applied once, whoever comes at the same moment', async () => {
    const others = await Promise.all([1, 2, 3].map(() => openPostgres({ url: database.url })));
    await Promise.all([...others, postgres].map((one) => migrateSchema(one, [first])));
    await Promise.all([...others, postgres].map((one) => migrateSchema(one, [second])));
    expect(await postgres.query('SELECT n FROM salvo.steps ORDER BY n')).toEqual([{ n: 1 }, { n: 2 }]);
    for (const one of others) await one.close();
  });

  test('a database of a later version is refused', async () => {
    await expect(migrateSchema(postgres, [first])).rejects.toMatchObject({
      code: 'DATABASE_TABLES_TOO_NEW',
      message: expect.stringContaining('npm install'),
    });
  });
});

describe('a server that restarts', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  test('is waited for by who starts meanwhile and has patience, and by nobody else', async () => {
    await server.stop();
    const refused = openPostgres({ url: server.url });
    await expect(refused).rejects.toMatchObject({ code: 'DATABASE_UNREACHABLE', outcome: 'unscored' });
    const said: string[] = [];
    const patience = { seconds: 60, outageSeconds: 60, onWaiting: (message: string) => said.push(message) };
    const opening = openPostgres({ url: server.url, patience });
    await expect.poll(() => said).toHaveLength(1);
    await server.start();
    await using own = await opening;
    expect(await own.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(said[0]).not.toContain('test-password');
  });

  test('costs time, but neither loses a transaction nor makes half of one', async () => {
    await using own = await openPostgres({ url: server.url, connections: 4 });
    await own.query('CREATE TABLE pairs (n integer, half integer, PRIMARY KEY (n, half))');
    const heard: string[] = [];
    await using _listener = await own.listen('pairs', (payload) => heard.push(payload));
    let stored = 0;
    const writing = Array.from({ length: 200 }, (_, n) => n).map(async (n) => {
      await own.transaction(async (sql) => {
        for (const half of [0, 1]) {
          await sql.query('INSERT INTO pairs VALUES ($1, $2) ON CONFLICT DO NOTHING', [n, half], 'insert');
        }
      });
      stored += 1;
    });
    await expect.poll(() => stored).toBeGreaterThan(10);
    await server.crash();
    await server.start();
    await Promise.all(writing);
    const [count] = await own.query('SELECT count(*)::int AS all, count(DISTINCT n)::int AS whole FROM pairs');
    expect(count).toEqual({ all: 400, whole: 200 });
    await expect.poll(() => heard.length).toBe(1);
    await own.query("SELECT pg_notify('pairs', 'again')");
    await expect.poll(() => heard).toEqual(['', 'again']);
  });
});

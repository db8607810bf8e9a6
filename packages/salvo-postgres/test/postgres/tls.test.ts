import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { connect as connectSecured } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runProgram } from '../../../../test/cli/cli-fixture.ts';
import { createDatabase, type TestDatabase } from '../../../../test/postgres.ts';
import { type PostgresServer, startPostgres } from '../../../../test/postgres-server.ts';
import { type ProjectFixture, projectFixture } from '../../../../test/project-fixture.ts';
import { openPostgres } from '../../src/postgres/postgres.ts';

let server: PostgresServer;
let database: TestDatabase;
let folder: ProjectFixture;

/**
 * Certificates that are valid until 2120, and one that was until 2016: `right` and `elsewhere` are signed by the
 * authority for localhost and for another host, `alone` by itself. Their keys protect nothing.
 */
const certificate = (name: string) => fileURLToPath(new URL(`../../../../test/fixtures/tls/${name}`, import.meta.url));

/** The files belong to the server, which may be another user. */
async function useCertificate(name: string): Promise<void> {
  for (const file of [`${name}.pem`, `${name}.key`]) {
    const content = readFileSync(certificate(file)).toString('base64');
    await database.query(`COPY (SELECT '${content}') TO PROGRAM 'umask 077; base64 -d > server-${file}'`);
  }
  await database.query(`ALTER SYSTEM SET ssl_cert_file = 'server-${name}.pem'`);
  await database.query(`ALTER SYSTEM SET ssl_key_file = 'server-${name}.key'`);
  await database.query('ALTER SYSTEM SET ssl = on');
  await database.query('SELECT pg_reload_conf()');
  const isUsed = async () => (await shownName().catch(() => null)) === name;
  await vi.waitUntil(isUsed, { timeout: 60_000, interval: 200 });
}

/** The common name in the certificate that the server shows, after the message with which a client asks for encryption. */
async function shownName(): Promise<unknown> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  try {
    socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]));
    await once(socket, 'data');
    const secured = connectSecured({ socket, rejectUnauthorized: false });
    await once(secured, 'secureConnect');
    return secured.getPeerCertificate().subject.CN;
  } finally {
    socket.destroy();
  }
}

beforeAll(async () => {
  [server, folder] = await Promise.all([startPostgres(), projectFixture()]);
  database = await createDatabase(server);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

function urlOf(host: string, query: Record<string, string>): string {
  const url = new URL(database.url);
  url.hostname = host;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

const IS_ENCRYPTED = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';

async function encryption(host: string, query: Record<string, string>): Promise<unknown> {
  await using postgres = await openPostgres({ url: urlOf(host, query) });
  return (await postgres.query(IS_ENCRYPTED))[0]?.ssl;
}

function refusal(host: string, query: Record<string, string>): Promise<string> {
  return encryption(host, query).then(
    () => 'connected',
    (error: unknown) =>
      error instanceof Error && 'code' in error ? `${error.code}: ${error.message}` : 'another error',
  );
}

const trusted = () => ({ sslrootcert: certificate('authority.pem') });

test('a server without encryption is refused where it is not on this machine', async () => {
  // The address 0.0.0.0 leads here, and is none of the names of this machine.
  const message = await refusal('0.0.0.0', {});
  expect(message).toMatch(/^DATABASE_TLS_FAILED: .*does not support SSL.*sslmode=disable/);
  expect(await encryption('0.0.0.0', { sslmode: 'disable' })).toBe(false);
});

describe('with a certificate of an own authority', () => {
  beforeAll(() => useCertificate('right'));

  test.each(['require', 'verify-ca', 'verify-full'])(
    'sslmode=%s connects with sslrootcert, and not without',
    async (sslmode) => {
      expect(await encryption('localhost', { sslmode, ...trusted() })).toBe(true);
      const message = await refusal('localhost', { sslmode });
      expect(message).toMatch(/^DATABASE_TLS_FAILED: .*\?sslrootcert=FILE.*PGSSLROOTCERT/);
      expect(message).not.toContain('test-password');
    },
  );

  test('without sslmode another machine is verified, also one that is named by its address', async () => {
    expect(await encryption('0.0.0.0', trusted())).toBe(true);
    expect(await refusal('0.0.0.0', {})).toMatch(/^DATABASE_TLS_FAILED/);
  });

  test('sslmode=no-verify is the only way without knowing the authority', async () => {
    expect(await encryption('localhost', { sslmode: 'no-verify' })).toBe(true);
  });

  test('a command finds the authority in PGSSLROOTCERT, and prints no warning', async () => {
    const SALVO_DATABASE_URL = urlOf('localhost', { sslmode: 'require' });
    const at = { cwd: folder.root, env: { SALVO_DATABASE_URL, PGSSLROOTCERT: certificate('authority.pem') } };
    expect(await runProgram(['db', 'migrate'], at)).toMatchObject({ code: 0, stderr: '' });
    const refused = await runProgram(['db', 'migrate'], { ...at, env: { SALVO_DATABASE_URL } });
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('PGSSLROOTCERT') });
    expect(refused.stderr).not.toMatch(/test-password|Warning| {4}at /);
  });
});

describe.each([
  ['of another host', 'elsewhere', 'Use a host name that its certificate has'],
  ['that has expired', 'expired', 'The server needs a new certificate'],
  ['that signed itself', 'alone', 'name its certificate: add ?sslrootcert=FILE'],
])('a certificate %s', (_, name, advice) => {
  beforeAll(() => useCertificate(name));

  test('is refused with what to do, and without the password', async () => {
    const message = await refusal('localhost', { sslmode: 'require', ...trusted() });
    expect(message).toMatch(/^DATABASE_TLS_FAILED: No encrypted connection to the database localhost:/);
    expect(message).toContain(advice);
    expect(message).not.toContain('test-password');
  });
});

test('a server that asks for encryption says so to who has switched it off', async () => {
  const [row] = await database.query('SHOW hba_file');
  await database.query(`COPY (SELECT 'hostssl all all all scram-sha-256') TO '${row?.hba_file}'`);
  await database.query('SELECT pg_reload_conf()');
  await expect
    .poll(() => refusal('localhost', {}))
    .toMatch(/^DATABASE_TLS_FAILED: .*accepts only encrypted connections.*sslmode/);
});

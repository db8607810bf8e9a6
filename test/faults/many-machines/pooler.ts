import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether PgBouncer is installed on this machine. */
export const hasPooler = spawnSync('pgbouncer', ['--version']).status === 0;

/** A PgBouncer in transaction mode, with fewer connections to the server than the workers use. */
export async function startPooler(url: string): Promise<AsyncDisposable & { url: string }> {
  const server = new URL(url);
  const folder = await mkdtemp(path.join(tmpdir(), 'salvo-pooler-'));
  const port = randomInt(30_000, 32_000);
  const [settings, users] = [path.join(folder, 'pgbouncer.ini'), path.join(folder, 'users.txt')];
  await writeFile(users, `"${server.username}" "${server.password}"\n`);
  await writeFile(
    settings,
    `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = transaction
default_pool_size = 5
server_login_retry = 1
`,
  );
  await chmod(folder, 0o755);
  // It refuses to run as root.
  const asUser = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const pooler = spawn('pgbouncer', ['-q', ...asUser, settings], { stdio: ['ignore', 'ignore', 'inherit'] });
  const exit = once(pooler, 'exit');
  while (!(await answers(port)))
    await Promise.race([sleep(50), exit.then(() => Promise.reject(new Error('PgBouncer ended.')))]);
  const own = new URL(server);
  own.port = String(port);
  return {
    url: own.href,
    async [Symbol.asyncDispose]() {
      pooler.kill('SIGKILL');
      await exit;
      await rm(folder, { recursive: true });
    },
  };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}

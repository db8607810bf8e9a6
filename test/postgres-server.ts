import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A PostgreSQL server of its own, which ends with this process at the latest. */
export interface PostgresServer extends AsyncDisposable {
  /** The address of its first database, with the rights of a superuser. */
  url: string;
  /** Ends it as an administrator would, and waits for its end. */
  stop(): Promise<void>;
  /** Ends it at once, in the middle of whatever it does. */
  crash(): Promise<void>;
  /** Starts it again, at the same address and with the same data. */
  start(): Promise<void>;
}

const KEEPER = fileURLToPath(new URL('./postgres-keeper.ts', import.meta.url));

export async function startPostgres(settings: Record<string, string> = {}): Promise<PostgresServer> {
  const keeper = spawn(process.execPath, [KEEPER, JSON.stringify(settings)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  keeper.stdin.on('error', () => {});
  const lines = createInterface({ input: keeper.stdout })[Symbol.asyncIterator]();
  const exit = once(keeper, 'exit');
  async function answer(): Promise<string> {
    const line = await lines.next();
    if (line.done) throw new Error('PostgreSQL did not start. See above, or set SALVO_TEST_DATABASE_URL.');
    return line.value;
  }
  async function order(command: string): Promise<void> {
    if (keeper.stdout instanceof Socket) keeper.stdout.ref();
    keeper.stdin.write(`${command}\n`);
    await answer();
    letGo();
  }
  /** The server must not keep a program alive that has nothing else to do. */
  function letGo(): void {
    for (const part of [keeper.stdin, keeper.stdout]) if (part instanceof Socket) part.unref();
    keeper.unref();
  }
  const url = await answer();
  letGo();
  return {
    url,
    stop: () => order('stop'),
    crash: () => order('crash'),
    start: () => order('start'),
    async [Symbol.asyncDispose]() {
      keeper.ref();
      keeper.stdin.end();
      await exit;
    },
  };
}

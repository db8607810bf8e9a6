import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../../test/postgres-server.ts';

/** A PostgreSQL server as it is installed: it waits for the disk at each commit. */
export interface BenchServer extends AsyncDisposable {
  /** A new database on it. */
  createDatabase(): Promise<BenchDatabase>;
  /** Nobody can reach it for so long. */
  outage(ms: number): Promise<void>;
}

export interface BenchDatabase extends AsyncDisposable {
  url: string;
  query(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** CPU seconds of all processes of the server so far. NaN if they are not processes of this machine. */
  cpuSeconds(): number;
}

/** Its own, or the one at `SALVO_TEST_DATABASE_URL`, which must have `pg_stat_statements`. */
export async function startBenchServer(): Promise<BenchServer> {
  const given = process.env.SALVO_TEST_DATABASE_URL;
  const server = given
    ? null
    : await startPostgres({ ...AS_INSTALLED, shared_preload_libraries: 'pg_stat_statements' });
  const url = new URL(given ?? server?.url ?? '');
  let count = 0;
  return {
    async createDatabase() {
      count += 1;
      const name = `salvo_bench_${process.pid}_${count}`;
      const own = new URL(url);
      own.pathname = `/${name}`;
      await statement(url, `CREATE DATABASE ${name}`);
      // A pool, because its connection is made again after an outage.
      const client = new pg.Pool({ connectionString: own.href, max: 1 });
      client.on('error', () => {});
      await client.query('CREATE EXTENSION pg_stat_statements');
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
      const postmaster = processStat(Number(rows[0]?.pid))?.parent;
      return {
        url: own.href,
        query: async (sql, values) => (await client.query(sql, values)).rows,
        cpuSeconds: () => (postmaster === undefined || !server ? Number.NaN : treeCpuSeconds(postmaster)),
        async [Symbol.asyncDispose]() {
          await client.end();
          await statement(url, `DROP DATABASE ${name} WITH (FORCE)`);
        },
      };
    },
    async outage(ms) {
      if (!server)
        throw new Error('Only a server that was started here can be stopped: unset SALVO_TEST_DATABASE_URL.');
      await server.stop();
      await sleep(ms);
      await server.start();
    },
    [Symbol.asyncDispose]: async () => await server?.[Symbol.asyncDispose](),
  };
}

const AS_INSTALLED = { fsync: 'on', full_page_writes: 'on' };

async function connect(url: URL): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url.href });
  // The server may end first.
  client.on('error', () => {});
  await client.connect();
  return client;
}

async function statement(url: URL, sql: string): Promise<void> {
  const client = await connect(url);
  await client.query(sql);
  await client.end();
}

const TICKS_PER_SECOND = 100;

/** What `/proc` says of a process; null where there is none. `ended`: its children that have ended, with theirs. */
function processStat(pid: number): { parent: number; own: number; ended: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may contain spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = (...indices: number[]) => indices.reduce((sum, index) => sum + Number(fields[index]), 0);
    return { parent: Number(fields[1]), own: ticks(11, 12), ended: ticks(13, 14) };
  } catch {
    return null;
  }
}

function treeCpuSeconds(root: number): number {
  const parent = processStat(root);
  const children = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? processStat(Number(name)) : null;
    return stat?.parent === root ? [stat.own] : [];
  });
  const ticks = (parent?.own ?? Number.NaN) + (parent?.ended ?? 0) + children.reduce((sum, own) => sum + own, 0);
  return ticks / TICKS_PER_SECOND;
}

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLI, type Measured, measureProcess, startMeasured } from '../measure-process.ts';
import { EITHER_VERDICT, scriptedProject } from '../scripted-project.ts';
import type { BenchDatabase, BenchServer } from './bench-server.ts';

/** Where the trials of a run are performed. */
export interface Arrangement {
  name: string;
  store: 'sqlite' | 'postgres';
  /** 0: the process of the run. */
  workers: number;
}

/** What a run used, in all and in each kind of process. */
export interface Performed {
  seconds: number;
  /** Trials, from the time when a tenth was stored to the time when nine tenths were. */
  perSecond: number;
  client: Measured;
  workers: Measured[];
  databaseCpuSeconds: number;
  databaseBytes: number;
  /** What the server counted: also the begin and the end of a transaction. */
  statements: number;
  /** The most at the same time, without the one that looks. */
  connections: number;
}

export interface PerformedRun extends AsyncDisposable {
  performed: Performed;
  database: BenchDatabase | null;
  dir: string;
  env: Record<string, string>;
}

/** Trials at once in each process, if a task does not say otherwise. */
export const CONCURRENCY = 8;

/** What an arrangement performs. */
export interface Task {
  server: BenchServer;
  trials: number;
  /** Trials at once in each process. */
  concurrency?: number;
  /** How long the model takes. */
  delayMs?: number;
  /** Measures how much memory is reachable, which takes some time itself. */
  live?: boolean;
}

/** Runs so many trials and keeps their database until it is disposed of. */
export async function performRun(
  { store, workers }: Arrangement,
  { server, trials, concurrency = CONCURRENCY, delayMs = 0, live = false }: Task,
): Promise<PerformedRun> {
  const project = scriptedProject({ delayMs });
  const database = store === 'postgres' ? await server.createDatabase() : null;
  const env = { SALVO_DATABASE_URL: database?.url ?? '', SALVO_CACHE_DIR: join(project.dir, 'cache') };
  const place = { cwd: project.dir, env, usage: true, live };
  if (database) await measureProcess([CLI, 'db', 'migrate'], place);
  const started = await startWorkers(workers, { ...place, database, concurrency });
  const cpuBefore = database?.cpuSeconds() ?? Number.NaN;
  const statementsBefore = await statementsOf(database);
  const args = ['run', project.scenario, '-q', '--seed', '1', '-n', String(trials), '-c', String(concurrency)];
  // A database has workers. Only a shard is performed by its own process there.
  const inProcess = database && workers === 0 ? ['--shard', '1/1', '--out', 'part'] : [];
  await using counted = watchTrials(database, { dir: project.dir, trials });
  const client = await measureProcess([CLI, ...args, ...inProcess], { ...place, expect: EITHER_VERDICT });
  const databaseCpuSeconds = (database?.cpuSeconds() ?? Number.NaN) - cpuBefore;
  const statements = (await statementsOf(database)) - statementsBefore - counted.looks();
  return {
    performed: {
      seconds: client.seconds,
      perSecond: counted.perSecond(),
      client,
      workers: await started.leave(),
      databaseCpuSeconds,
      databaseBytes: database ? await bytesOf(database) : Number.NaN,
      statements,
      connections: counted.connections(),
    },
    database,
    dir: project.dir,
    env,
    async [Symbol.asyncDispose]() {
      await database?.[Symbol.asyncDispose]();
      rmSync(project.dir, { recursive: true, force: true });
    },
  };
}

/** Starts workers and waits until all of them have joined. */
export async function startWorkers(
  count: number,
  {
    database,
    concurrency = CONCURRENCY,
    ...place
  }: {
    cwd: string;
    env: Record<string, string>;
    usage: boolean;
    database: BenchDatabase | null;
    concurrency?: number;
  },
): Promise<{ leave(): Promise<Measured[]> }> {
  const workers = Array.from({ length: count }, () =>
    startMeasured([CLI, 'worker', '-q', '--concurrency', String(concurrency)], place),
  );
  for (let joined = 0; joined < count; ) {
    await Promise.race([sleep(50), ...workers.map(({ ended }) => ended)]);
    const [row] = (await database?.query('SELECT count(*) AS joined FROM salvo.workers')) ?? [];
    joined = Number(row?.joined);
  }
  return {
    async leave() {
      for (const { stop } of workers) stop();
      return await Promise.all(workers.map(({ ended }) => ended));
    },
  };
}

const LOOK_MS = 50;

/** Looks again and again how many trials have a result, less often if they are many to count. */
function watchTrials(database: BenchDatabase | null, { dir, trials: all }: { dir: string; trials: number }) {
  const seen: { ms: number; trials: number; connections: number }[] = [];
  const ended = new AbortController();
  const watching = (async () => {
    while (!ended.signal.aborted) {
      const counts = database ? await countInPostgres(database) : { trials: countInSqlite(dir), connections: 0 };
      seen.push({ ms: performance.now(), ...counts });
      await sleep(Math.max(LOOK_MS, all / 100), null, { signal: ended.signal }).catch(() => {});
    }
  })();
  return {
    perSecond(): number {
      const from = seen.find(({ trials }) => trials >= all / 10);
      const to = seen.find(({ trials }) => trials >= (all * 9) / 10);
      return from && to ? ((to.trials - from.trials) / (to.ms - from.ms)) * 1000 : Number.NaN;
    },
    looks: () => seen.length,
    connections: () => Math.max(...seen.map(({ connections }) => connections)),
    async [Symbol.asyncDispose]() {
      ended.abort();
      await watching;
    },
  };
}

async function countInPostgres(database: BenchDatabase): Promise<{ trials: number; connections: number }> {
  const [row] = await database.query(
    `SELECT (SELECT count(status) FROM salvo.trials) AS trials,
       (SELECT count(*) - 1 FROM pg_stat_activity WHERE datname = current_database()) AS connections`,
  );
  return { trials: Number(row?.trials), connections: Number(row?.connections) };
}

const WATCHED_IDLE_MS = 10_000;

/** What workers that wait for jobs cost the database: CPU seconds a second, and connections. */
export async function idleWorkers(
  count: number,
  server: BenchServer,
): Promise<{ cpuSecondsASecond: number; connections: number }> {
  using project = scriptedProject();
  await using database = await server.createDatabase();
  const place = { cwd: project.dir, env: { SALVO_DATABASE_URL: database.url }, usage: true };
  await measureProcess([CLI, 'db', 'migrate'], place);
  const started = await startWorkers(count, { ...place, database });
  await sleep(WATCHED_IDLE_MS / 4);
  const before = database.cpuSeconds();
  await sleep(WATCHED_IDLE_MS);
  const cpuSecondsASecond = (database.cpuSeconds() - before) / (WATCHED_IDLE_MS / 1000);
  const { connections } = await countInPostgres(database);
  await started.leave();
  return { cpuSecondsASecond, connections };
}

function countInSqlite(dir: string): number {
  const file = join(dir, '.salvo', 'salvo.db');
  if (!existsSync(file)) return 0;
  try {
    using database = new DatabaseSync(file, { readOnly: true });
    return Number(database.prepare('SELECT count(status) AS trials FROM trials').get()?.trials);
  } catch {
    // Its tables are being created.
    return 0;
  }
}

async function statementsOf(database: BenchDatabase | null): Promise<number> {
  const [row] = (await database?.query('SELECT sum(calls)::int AS calls FROM pg_stat_statements')) ?? [];
  return Number(row?.calls ?? Number.NaN);
}

async function bytesOf(database: BenchDatabase): Promise<number> {
  const [row] = await database.query('SELECT pg_database_size(current_database()) AS size');
  return Number(row?.size);
}

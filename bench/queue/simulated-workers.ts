import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, TakenJob, WorkerSession, WorkQueue } from '../../packages/salvo/src/queue/work-queue.ts';
import { loadSettings } from '../../packages/salvo/src/scenario/load-project.ts';
import type { WorkerAccess } from '../../packages/salvo/src/store/store.ts';
import { salvoVersion } from '../../packages/salvo/src/text/modules/salvo-version.ts';
import { openPostgres, type Postgres } from '../../packages/salvo-postgres/src/postgres/postgres.ts';
import { openWorkQueue } from '../../packages/salvo-postgres/src/queue/open-work-queue.ts';
import { openPostgresStore } from '../../packages/salvo-postgres/src/store/open-postgres-store.ts';
import { postgresStore } from '../../packages/salvo-postgres/src/store/postgres-store.ts';
import { workerAccessOf } from '../../packages/salvo-postgres/src/work/coordinate-order.ts';
import { JobTaker } from '../../packages/salvo-postgres/src/work/job-taker.ts';
import { sampleOrder, sampleWorker } from '../../packages/salvo-postgres/test/queue/sample-order.ts';
import { sampleRun, sampleStoredTrial } from '../../test/sample-run.ts';
import { sampleSupportTrace } from '../../test/sample-trace.ts';
import { sampleTrial } from '../../test/sample-trial.ts';
import type { BenchDatabase } from '../workers/bench-server.ts';

/** How the simulated workers reach the database. */
export interface Simulation {
  workers: number;
  /** Whether workers hear of new jobs. They cannot behind a pooler that changes the connection with each transaction. */
  listens: boolean;
  jobsASecond: number;
  seconds: number;
}

export interface Simulated {
  statementsAJob: number;
  databaseCpuMsAJob: number;
  /** From adding a job until its result is stored, without the time that the agent takes. */
  medianMs: number;
  slowestMs: number;
  jobs: number;
  /** Trials that are stored with a result. */
  stored: number;
  connections: number;
}

/** All workers together, with the one that listens and the one that adds jobs. */
const MOST_CONNECTIONS = 20;
const CONCURRENCY = 16;
const AGENT_MS = 50;
const SETTLED_MS = 3000;
/** All workers look at a new order at once, which may take longer than a statement usually waits for a connection. */
const PATIENCE = { seconds: 60, outageSeconds: 600, onWaiting: () => {} };

/**
 * Many workers in this process. Each has its own queue and its own store, as a process of its own would have, and takes
 * jobs with the code of `salvo worker`; only the agent is simulated. They share connections, as behind a pooler.
 */
export async function simulate(database: BenchDatabase, simulation: Simulation): Promise<Simulated> {
  const { workers, listens, jobsASecond, seconds } = simulation;
  const client = await openPostgresStore({ url: database.url });
  await using connections = await openPostgres({
    url: database.url,
    connections: MOST_CONNECTIONS - 12,
    patience: PATIENCE,
  });
  const run = sampleRun();
  await client.createRun(run);
  const { queue } = workerAccessOf(client);
  const order = sampleOrder(run.run_id, { salvo_version: salvoVersion() });
  const coordinator = await queue.coordinate(order, { fresh: true });
  const ended = new Map<string, number>();
  const shared = listens ? await withOneListener(connections) : withoutListener(connections);
  const stop = new AbortController();
  let opened = 0;
  const onOpened = (): void => {
    opened += 1;
  };
  const leave = await startWorkers(workers, { postgres: shared, stop: stop.signal, ended, onOpened });
  await coordinator.add([jobOf(0)]);
  while (opened < workers || ended.size === 0) await sleep(100);
  await sleep(SETTLED_MS);

  await database.query('SELECT pg_stat_statements_reset()');
  const cpuBefore = database.cpuSeconds();
  const jobs: { job: Job; addedAt: number }[] = [];
  const startedAt = performance.now();
  for (let trial = 0; trial < jobsASecond * seconds; trial += 1) {
    await sleep(Math.max(0, startedAt + (trial * 1000) / jobsASecond - performance.now()));
    const job = jobOf(trial + 1);
    jobs.push({ job, addedAt: performance.now() });
    await coordinator.add([job]);
  }
  const patience = performance.now() + 60_000;
  while (ended.size <= jobs.length && performance.now() < patience) await sleep(20);
  const databaseCpuMs = (database.cpuSeconds() - cpuBefore) * 1000;
  const [counted] = await database.query(
    `SELECT sum(calls)::int AS statements FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_%'`,
  );
  const [found] = await database.query(
    `SELECT (SELECT count(status) - 1 FROM salvo.trials) AS stored,
       (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'salvo') AS connections`,
  );
  stop.abort();
  await leave();
  await coordinator.close();
  await shared.stopListening();
  await client.close();
  const waits = jobs.map(({ job, addedAt }) => (ended.get(job.key) ?? Number.NaN) - addedAt - AGENT_MS);
  const sorted = waits.toSorted((one, other) => one - other);
  return {
    statementsAJob: Number(counted?.statements) / jobs.length,
    databaseCpuMsAJob: databaseCpuMs / jobs.length,
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    slowestMs: sorted.at(-1) ?? Number.NaN,
    jobs: jobs.length,
    stored: Number(found?.stored),
    connections: Number(found?.connections),
  };
}

type SharedPostgres = Postgres & { stopListening(): Promise<void> };

/** One connection hears for all workers. */
async function withOneListener(postgres: Postgres): Promise<SharedPostgres> {
  const heard = new Map<string, Set<(payload: string) => void>>();
  const listening = new Map<string, Promise<AsyncDisposable>>();
  return {
    ...postgres,
    async listen(channel, hear) {
      const hearers = heard.get(channel) ?? new Set();
      heard.set(channel, hearers);
      hearers.add(hear);
      const listener =
        listening.get(channel) ??
        postgres.listen(channel, (payload) => {
          for (const each of hearers) each(payload);
        });
      listening.set(channel, listener);
      await listener;
      return { [Symbol.asyncDispose]: async () => void hearers.delete(hear) };
    },
    async stopListening() {
      for (const listener of listening.values()) await (await listener)[Symbol.asyncDispose]();
    },
  };
}

/** As a pooler answers. */
function withoutListener(postgres: Postgres): SharedPostgres {
  return {
    ...postgres,
    listen: () => Promise.reject(new Error('LISTEN is not supported')),
    stopListening: async () => {},
  };
}

/** Returns what waits until all workers have left. */
async function startWorkers(
  count: number,
  {
    postgres,
    stop,
    ended,
    onOpened,
  }: { postgres: Postgres; stop: AbortSignal; ended: Map<string, number>; onOpened: () => void },
): Promise<() => Promise<void>> {
  const project = await loadSettings(tmpdir());
  const taken: { done: Promise<number>; session: WorkerSession; queue: WorkQueue }[] = [];
  for (let index = 0; index < count; index += 1) {
    const queue = await openWorkQueue({ postgres });
    const store = postgresStore({ postgres, queue, prepare: async () => {} });
    const worker = sampleWorker(`simulated-${index}`, { concurrency: CONCURRENCY, salvo_version: salvoVersion() });
    const session = await queue.join(worker);
    const taker = new JobTaker({
      ...{ project, store, session, worker, granted: [], cwd: process.cwd(), env: {}, onEvent: () => {} },
      options: { stop, command: [] },
      openPerformer: async () => {
        onOpened();
        return simulatedPerformer(workerAccessOf(store), ended);
      },
    });
    taken.push({ done: taker.takeAll(), session, queue });
  }
  return async () => {
    for (const { done, session, queue } of taken) {
      await done;
      await session[Symbol.asyncDispose]();
      await queue[Symbol.asyncDispose]();
    }
  };
}

function simulatedPerformer(access: WorkerAccess, ended: Map<string, number>) {
  return {
    async perform(job: TakenJob): Promise<boolean> {
      await sleep(AGENT_MS);
      const trial_number = Number(job.data.trial);
      const result = sampleTrial({ trial_number });
      await access
        .ofJob(job.lease)
        .saveFinished?.(sampleSupportTrace(), { ...sampleStoredTrial({ trial_number }), result });
      await job.done();
      ended.set(job.key, performance.now());
      return true;
    },
    direct: () => {},
    isWaiting: () => false,
    [Symbol.asyncDispose]: async () => {},
  };
}

function jobOf(trial: number): Job {
  return { key: `trial ${trial}`, group: 'scenario', labels: [], data: { trial } };
}

import type { Work } from '../packages/salvo/src/queue/lease.ts';
import type { Job, WorkerSession, WorkQueue } from '../packages/salvo/src/queue/work-queue.ts';
import { openPostgres, type Postgres, type Sql } from '../packages/salvo-postgres/src/postgres/postgres.ts';
import { holdLeases } from '../packages/salvo-postgres/src/queue/job-table.ts';
import { migrateWorkQueue, openWorkQueue } from '../packages/salvo-postgres/src/queue/open-work-queue.ts';
import { sampleOrder, sampleWorker, takeOf } from '../packages/salvo-postgres/test/queue/sample-order.ts';
import { createDatabase } from '../test/postgres.ts';
import { notificationCpuMs } from './queue/notifications.ts';
import { type Simulated, type Simulation, simulate } from './queue/simulated-workers.ts';
import { startBenchServer } from './workers/bench-server.ts';

const SIZES = [1000, 10_000, 100_000];
const PERFORMED = 1000;
const TAKEN_AT_ONCE = 8;
const IDLE_WORKERS = 1000;
const JOBS_A_SECOND = 50;
const SIMULATED_SECONDS = 15;

type Place = { queue: WorkQueue; postgres: Postgres; work: Work };

export async function benchQueue(): Promise<string[]> {
  return [...(await withoutWorkers()), ...(await withIdleWorkers())];
}

/** Jobs arrive at the same rate for one worker and for many of which nearly all have nothing to do. */
async function withIdleWorkers(): Promise<string[]> {
  await using server = await startBenchServer();
  const lines = [
    `${JOBS_A_SECOND} jobs a second, each with an agent of 50 ms: workers that listen, and workers behind a pooler, which cannot`,
  ];
  let baseline: Simulated | null = null;
  for (const listens of [true, false]) {
    for (const workers of [1, IDLE_WORKERS]) {
      await using database = await server.createDatabase();
      const task = { workers, listens, jobsASecond: JOBS_A_SECOND, seconds: SIMULATED_SECONDS };
      const simulated = await simulate(database, task);
      baseline ??= simulated;
      lines.push(simulatedLine(task, simulated, baseline));
    }
  }
  await using database = await server.createDatabase();
  const notification = await notificationCpuMs(database);
  return [
    ...lines,
    `a notification costs the database ${notification.toFixed(3)} ms of CPU for each process that listens`,
  ];
}

function simulatedLine({ workers, listens }: Simulation, simulated: Simulated, baseline: Simulated): string {
  const { statementsAJob, databaseCpuMsAJob, medianMs, slowestMs, jobs, stored, connections } = simulated;
  const ratioOf = (figure: number, one: number, aim: number) =>
    workers === 1 ? '' : ` (${(figure / one).toFixed(2)}x one that listens, aim: ${aim.toFixed(1)}x)`;
  const facts = [
    `${statementsAJob.toFixed(2)} statements a job${ratioOf(statementsAJob, baseline.statementsAJob, 1.2)}`,
    `database ${databaseCpuMsAJob.toFixed(2)} ms CPU a job${ratioOf(databaseCpuMsAJob, baseline.databaseCpuMsAJob, 1.5)}`,
    `a job waits ${medianMs.toFixed(0)} ms, at most ${slowestMs.toFixed(0)} ms`,
    `${stored} of ${jobs} results stored`,
    `${connections} connections (aim: at most 20)`,
  ];
  return `  ${workers.toLocaleString('en')} ${listens ? 'listening' : 'behind a pooler'}: ${facts.join('; ')}`;
}

/**
 * Jobs that only store a row, against storing the row without a queue, and against the least that a queue in a table
 * could do: INSERT and DELETE ... SKIP LOCKED.
 */
async function withoutWorkers(): Promise<string[]> {
  await using database = await createDatabase();
  await using postgres = await openPostgres({ url: database.url });
  await migrateWorkQueue(postgres);
  await postgres.query('CREATE TABLE results (id bigserial PRIMARY KEY, data text)');
  await using queue = await openWorkQueue({ postgres });
  const lines: string[] = [];
  const perJob: number[] = [];
  for (const size of SIZES) {
    const { work } = sampleOrder(`bench-${size}`);
    const coordinator = await queue.coordinate(sampleOrder(work.id), { fresh: true });
    const added = await milliseconds(() => coordinator.add(jobs(size)));
    const alone = await storeOnly(postgres);
    const one = await performWith(1, { queue, postgres, work });
    const progress = await milliseconds(() => coordinator.progress());
    const cost = (one - alone) / PERFORMED;
    perJob.push(cost);
    lines.push(
      `${size} jobs waiting: added ${rate(size, added)}; performed ${rate(PERFORMED, one)} by one session, stored without a queue ${rate(PERFORMED, alone)}: ${cost.toFixed(2)} ms per job; progress ${progress.toFixed(0)} ms`,
    );
    if (size === 10_000) {
      for (const sessions of [2, 4]) {
        const time = await performWith(sessions, { queue, postgres, work });
        lines.push(`${sessions} sessions in one process: ${rate(PERFORMED, time)}, ${(one / time).toFixed(1)}x one`);
      }
    }
    const closed = await milliseconds(() => coordinator.close());
    if (size === SIZES.at(-1)) lines.push(`closed with ${size} jobs in ${(closed / 1000).toFixed(1)} s`);
  }
  const bare = await bareTable(postgres);
  return [
    ...lines,
    `bare table: added ${rate(100_000, bare.added)}, taken and deleted ${rate(PERFORMED, bare.performed)}, ${(bare.performed / PERFORMED).toFixed(2)} ms per job`,
    `the queue costs at most ${Math.max(...perJob).toFixed(2)} ms per job (aim: under 5 ms)`,
  ];
}

async function storeOnly(postgres: Postgres): Promise<number> {
  return await milliseconds(async () => {
    for (let done = 0; done < PERFORMED; done += 1) await postgres.transaction(storeRow);
  });
}

async function storeRow(sql: Sql): Promise<void> {
  await sql.query('INSERT INTO results (data) VALUES ($1)', ['a result']);
}

/** Ends `PERFORMED` jobs, each in the transaction that stores its row. */
async function performWith(count: number, { queue, postgres, work }: Place): Promise<number> {
  const sessions = await Promise.all(
    Array.from({ length: count }, (_, index) => queue.join(sampleWorker(`bench-${index}`))),
  );
  let left = PERFORMED;
  const perform = async (session: WorkerSession): Promise<void> => {
    while (left > 0) {
      const wanted = Math.min(TAKEN_AT_ONCE, left);
      left -= wanted;
      for (const job of await takeOf(session, [work], wanted)) {
        await postgres.transaction(async (sql) => {
          await storeRow(sql);
          await sql.query(holdLeases([{ lease: job.lease, ends: true }], { waits: true }));
          job.lease.hasEnded = true;
        });
        await job.done();
      }
    }
  };
  const time = await milliseconds(() => Promise.all(sessions.map(perform)));
  for (const session of sessions) await session[Symbol.asyncDispose]();
  return time;
}

async function bareTable(postgres: Postgres): Promise<{ added: number; performed: number }> {
  await postgres.query('CREATE TABLE bare (id bigserial PRIMARY KEY, data text)');
  const texts = jobs(100_000).map((job) => JSON.stringify(job));
  const added = await milliseconds(async () => {
    for (let at = 0; at < texts.length; at += 2000)
      await postgres.query('INSERT INTO bare (data) SELECT unnest($1::text[])', [texts.slice(at, at + 2000)]);
  });
  const performed = await milliseconds(async () => {
    for (let done = 0; done < PERFORMED; done += 1) {
      await postgres.transaction((sql) =>
        sql.query(
          'DELETE FROM bare WHERE id = (SELECT id FROM bare ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING data',
        ),
      );
    }
  });
  return { added, performed };
}

function jobs(count: number): Job[] {
  return Array.from({ length: count }, (_, trial) => ({
    key: `scenario/case/${trial}`,
    group: `scenario ${trial % 20}`,
    labels: [],
    data: { scenario: trial % 20, case: 'a case', trial },
  }));
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function rate(count: number, ms: number): string {
  return `${Math.round((count / ms) * 1000)}/s`;
}

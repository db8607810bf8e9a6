import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase } from '../../../../test/postgres.ts';
import { startPostgres } from '../../../../test/postgres-server.ts';
import { AS_SOURCES } from '../../../../test/source-process.ts';
import type { WorkQueue } from '../../../salvo/src/queue/work-queue.ts';
import { openPostgres } from '../../src/postgres/postgres.ts';
import { holdLeases } from '../../src/queue/job-table.ts';
import { migrateWorkQueue, openWorkQueue } from '../../src/queue/open-work-queue.ts';
import { isHeld, PACE, queueUnderTest } from './queue-under-test.ts';
import { openingsOf, SOON, sampleJobs, sampleOrder, sampleWorker, takeOf } from './sample-order.ts';

const order = sampleOrder();
const { work } = order;
const tested = queueUnderTest();

describe('a queue in PostgreSQL', () => {
  let queue: WorkQueue;
  beforeEach(async () => {
    queue = await openWorkQueue({ postgres: tested.postgres, pace: PACE });
  });
  afterEach(async () => {
    await queue[Symbol.asyncDispose]();
  });

  test('leaves nothing behind when an order is closed', async () => {
    const coordinator = await queue.coordinate(order);
    await using session = await queue.join(sampleWorker());
    await coordinator.add([...sampleJobs(3), ...sampleJobs(1, { group: 'gpu', labels: ['gpu'] })]);
    await takeOf(session, [work], 2);
    await coordinator.close();
    for (const table of ['salvo.jobs', 'salvo.work_orders'])
      expect(await tested.database.query(`SELECT * FROM ${table}`)).toEqual([]);
  });

  test('a coordinator that ended in the middle of adding is followed by one that adds the rest', async () => {
    const gone = await queue.coordinate(order);
    await gone.add(sampleJobs(2));
    await using session = await queue.join(sampleWorker());
    const [first] = await takeOf(session, [work], 1);
    await first?.done();
    const next = await queue.coordinate(order);
    await next.add(sampleJobs(5));
    expect(await next.progress()).toMatchObject({ waiting: 4, active: 0 });
    await next.close();
  });

  test('a coordinator whose order was opened afresh adds nothing more', async () => {
    const gone = await queue.coordinate(order);
    const next = await queue.coordinate(order, { fresh: true });
    await gone.add(sampleJobs(1));
    expect(await next.progress()).toMatchObject({ waiting: 0 });
    await next.close();
    await gone.add(sampleJobs(1));
    expect(await tested.database.query('SELECT * FROM salvo.jobs')).toEqual([]);
  });

  test('a job is not ended by a write that is rolled back', async () => {
    const coordinator = await queue.coordinate(order);
    await coordinator.add(sampleJobs(1));
    await using session = await queue.join(sampleWorker());
    const [job] = await takeOf(session, [work], 1);
    if (!job) throw new Error('nothing was taken');
    const { lease } = job;
    const write = tested.postgres.transaction(async (sql) => {
      await sql.query(holdLeases([{ lease, ends: true }], { waits: true }));
      lease.hasEnded = true;
      throw new Error('disk full');
    });
    await expect(write).rejects.toThrow('disk full');
    expect(await coordinator.progress()).toMatchObject({ active: 1 });
    expect(await isHeld(tested.postgres, { lease, ends: true })).toBe(true);
    // Ended by the write, so nobody has taken it away.
    await new Promise((resolve) => setTimeout(resolve, 2 * PACE.heartbeatMs));
    expect(job.lost.aborted).toBe(false);
    await coordinator.close();
  });

  test('jobs of a killed worker are done by another one', async () => {
    const coordinator = await queue.coordinate(order);
    await coordinator.add(sampleJobs(3));
    const script = fileURLToPath(new URL('./killed-worker.ts', import.meta.url));
    const child = spawn(process.execPath, [...AS_SOURCES, script, tested.database.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    expect(String((await once(child.stdout, 'data'))[0])).toBe('took 3\n');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await coordinator.progress()).toMatchObject({ waiting: 0, active: 3 });
    await tested.loseAll();
    await using session = await queue.join(sampleWorker());
    const jobs = await takeOf(session, [work], 3);
    expect(jobs.map(({ key, attempt }) => [key, attempt])).toEqual([
      ['a/0', 2],
      ['a/1', 2],
      ['a/2', 2],
    ]);
    await coordinator.close();
  });

  test('leases are renewed while a process that is paused has locked orders and workers', async () => {
    const coordinator = await queue.coordinate(order);
    await coordinator.add(sampleJobs(2));
    await using session = await queue.join(sampleWorker());
    const [held] = await takeOf(session, [work], 1);
    await tested.database.query(
      `UPDATE salvo.jobs SET state = 'active', attempt = 1, worker_id = 'gone', renewed_at = now() - interval '1 min'
         WHERE state = 'waiting';
       UPDATE salvo.work_watch SET since = now() - interval '1 min', looked_at = now()`,
    );
    await tested.postgres.transaction(async (sql) => {
      await sql.query('SELECT FROM salvo.work_orders FOR UPDATE');
      await sql.query('LOCK TABLE salvo.workers IN SHARE ROW EXCLUSIVE MODE');
      // Two renewals: the first may have been under way.
      for (const _ of [1, 2]) {
        const [{ now } = { now: null }] = await tested.database.query('SELECT clock_timestamp()::text AS now');
        const isRenewed = 'SELECT renewed_at > $2 AS is_renewed FROM salvo.jobs WHERE job_id = $1';
        await expect
          .poll(() => tested.database.query(isRenewed, [held?.lease.jobId, now]), SOON)
          .toEqual([{ is_renewed: true }]);
      }
    });
    await expect.poll(() => coordinator.progress(), SOON).toMatchObject({ waiting: 1, again: 1, active: 1 });
    await coordinator.close();
  });

  test('workers get time to be heard of again after nobody could look for lost jobs', async () => {
    const coordinator = await queue.coordinate(order);
    await coordinator.add(sampleJobs(1));
    const [job] = await takeOf(await queue.join(sampleWorker()), [work], 1);
    await queue[Symbol.asyncDispose]();
    // In one transaction: others look all the time.
    await tested.database.query(
      `UPDATE salvo.jobs SET state = 'active', renewed_at = now() - interval '1 min';
       UPDATE salvo.work_watch SET since = '-infinity', looked_at = now() - interval '1 min'`,
    );
    queue = await openWorkQueue({ postgres: tested.postgres, pace: PACE });
    const next = await queue.coordinate(order);
    const looked = `SELECT looked_at > now() - interval '30 s' AS is_recent FROM salvo.work_watch`;
    await expect.poll(() => tested.database.query(looked), SOON).toEqual([{ is_recent: true }]);
    expect(await next.progress()).toMatchObject({ waiting: 0, active: 1 });
    expect(job?.key).toBe('a/0');
    await next.close();
  });

  test('reasons and notices are redacted before they are stored', async () => {
    await using careful = await openWorkQueue({
      postgres: tested.postgres,
      pace: PACE,
      redact: (text) => text.replaceAll('s3cret', '[gone]'),
    });
    const coordinator = await careful.coordinate(order);
    await coordinator.add(sampleJobs(1));
    await using session = await careful.join(sampleWorker());
    for (let attempt = 1; attempt <= 3; attempt += 1)
      for (const job of await takeOf(session, [work], 1)) await job.failed('401 for s3cret');
    const [opening] = await openingsOf(session);
    if (opening) await session.notify(opening, { type: 'warning', message: 's3cret is wrong' });
    const { failed, notices } = await coordinator.progress();
    expect([failed[0]?.reason, notices[0]?.message]).toEqual(['401 for [gone]', '[gone] is wrong']);
    const stored = await tested.database.query(
      'SELECT document FROM salvo.work_failures UNION SELECT document FROM salvo.work_notices',
    );
    expect(JSON.stringify(stored)).not.toContain('s3cret');
    await coordinator.close();
  });

  test("what another version of Salvo wrote is in nobody's way", async () => {
    const coordinator = await queue.coordinate(order);
    await using session = await queue.join(sampleWorker());
    for (const [index, document] of ['', '{', '[]', '{"work":{"kind":"new"}}', '"'.repeat(9)].entries()) {
      await tested.database.query(
        `INSERT INTO salvo.work_orders (kind, id, generation, document) VALUES ('run', $1, 1, $2)`,
        [`odd-${index}`, document],
      );
      await tested.database.query(`INSERT INTO salvo.workers VALUES ($1, $2, now())`, [`odd-${index}`, document]);
      await tested.database.query(
        `INSERT INTO salvo.work_notices (kind, id, hash, document) VALUES ('run', $1, $2, $3)`,
        [work.id, `hash-${index}`, document],
      );
    }
    await (await queue.coordinate(sampleOrder('run-2'))).close();
    expect((await session.orders()).map(({ order: seen }) => seen)).toEqual([order]);
    expect(await queue.workers()).toEqual([sampleWorker()]);
    expect(await coordinator.progress()).toMatchObject({ notices: [] });
    await tested.database.query(`DELETE FROM salvo.workers WHERE worker_id LIKE 'odd-%'`);
    await coordinator.close();
  });

  test('files go that were not used since, unless an order may need them', async () => {
    const content = new Uint8Array([1]);
    await queue.saveFiles(['old', 'new'].map((hash) => ({ hash, content })));
    await tested.database.query(`UPDATE salvo.bundle_files SET used_at = now() - interval '3 days' WHERE hash = 'old'`);
    const coordinator = await queue.coordinate(order);
    await tested.database.query(`UPDATE salvo.work_orders SET created_at = now() - interval '3 days'`);
    await queue.prune(new Date());
    expect([...(await queue.readFiles(['old', 'new'])).keys()].sort()).toEqual(['new', 'old']);
    await coordinator.close();
    await queue.prune(new Date());
    expect([...(await queue.readFiles(['old', 'new'])).keys()]).toEqual(['new']);
  });

  test('without its tables it says how they are created', async () => {
    await using empty = await createDatabase();
    await using connection = await openPostgres({ url: empty.url });
    await expect(openWorkQueue({ postgres: connection })).rejects.toMatchObject({
      code: 'DATABASE_TABLES_TOO_OLD',
      message: expect.stringContaining('salvo db migrate'),
    });
    await Promise.all([migrateWorkQueue(connection), migrateWorkQueue(connection)]);
    await (await openWorkQueue({ postgres: connection }))[Symbol.asyncDispose]();
  });
});

test('after a crash of the server everything goes on by itself', async () => {
  await using server = await startPostgres();
  await using connection = await openPostgres({ url: server.url });
  await migrateWorkQueue(connection);
  // As it is in use, but for the time between two beats.
  await using queue = await openWorkQueue({ postgres: connection, pace: { heartbeatMs: 100 } });
  await using session = await queue.join(sampleWorker());
  const coordinator = await queue.coordinate(order);
  await coordinator.add(sampleJobs(10));
  await expect.poll(() => session.orders(), SOON).toHaveLength(1);
  const before = await takeOf(session, [work], 2);
  const adding = coordinator.add(sampleJobs(6000));
  const waiting = session.wait(20_000);
  await server.crash();
  const taking = takeOf(session, [work], 2);
  await server.start();
  await adding;
  await waiting;
  const jobs = [...before, ...(await taking)];
  expect(new Set(jobs.map(({ key }) => key)).size).toBe(jobs.length);
  await session.wait(50);
  for (const { lease } of jobs) expect(await isHeld(connection, { lease, ends: true })).toBe(true);
  const { waiting: left, active } = await coordinator.progress();
  expect(left + active).toBe(6000 - jobs.length);
  const woken = session.wait(20_000);
  await coordinator.direct({ stops: 1 });
  await woken;
  await expect.poll(async () => (await session.orders())[0]?.directions.stops, SOON).toBe(1);
  await coordinator.close();
});

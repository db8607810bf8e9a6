import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { documentOf } from '../../cli/cli-fixture.ts';
import { createDatabase } from '../../postgres.ts';
import { type PostgresServer, startPostgres } from '../../postgres-server.ts';
import {
  callsOnBill,
  charged,
  expectNothingLeft,
  RUN,
  startMachines,
  TRIALS,
  undisturbed,
  VOTES,
  verdictOf,
} from './machines.ts';

const NEEDED = TRIALS * (1 + VOTES);
/** Longer than a pause between two statements, shorter than a lease; and longer than anything that expires. */
const SHORT_MS = 5000;
const LONG_MS = 25_000;
/** For a database that does not come back. */
const IMPATIENT = ['--wait', '3'];

let expected: Awaited<ReturnType<typeof undisturbed>>;
beforeAll(async () => {
  expected = await undisturbed();
});

test.concurrent('a database that is down at the start, and one that does not come back', async ({ task }) => {
  task.meta.cases = 2;
  await using postgres = await startPostgres();
  await using machines = await startMachines({ database: await createDatabase(postgres) });
  const { server } = machines;
  await postgres.stop();
  for (const started of [machines.client([...RUN, ...IMPATIENT]), machines.elsewhere(['worker', ...IMPATIENT])]) {
    const { code, stderr } = await started.result;
    expect([code, stderr]).toEqual([3, expect.stringContaining("can't be reached: ")]);
    expect(stderr).toContain('Waiting for it for up to 3 s');
    expect(stderr).not.toContain('test-password');
  }
  await postgres.start();
  const hold = server.hold('judge');
  const client = machines.client([...RUN, ...IMPATIENT]);
  const worker = await machines.worker(IMPATIENT);
  await hold.arrived(2 * VOTES);
  await postgres.stop();
  hold.release();
  for (const { result } of [client, worker]) {
    const { code, stderr } = await result;
    expect([code, stderr]).toEqual([3, expect.stringContaining("can't be reached")]);
    expect(stderr).not.toContain('    at ');
  }
  await postgres.start();
  const resumed = machines.client(['run', '--resume', 'latest', '--json']);
  await machines.untilRow("SELECT FROM salvo.work_orders WHERE coordinated_at > now() - interval '5 s'");
  await machines.worker();
  expect(verdictOf(await resumed.result)).toEqual(expected);
  expect(charged(server)).toBeLessThanOrEqual(NEEDED + 2 * VOTES);
  await expectNothingLeft(machines);
});

test.concurrent('who starts while PostgreSQL is down waits for it, and goes on', async ({ task }) => {
  task.meta.cases = 3;
  await using postgres = await startPostgres();
  await using machines = await startMachines({ database: await createDatabase(postgres) });
  const { server } = machines;
  await postgres.stop();
  const client = machines.client();
  const worker = machines.elsewhere(['worker', '-c', '2']);
  for (const started of [client, worker]) await started.untilStderrHas("can't be reached yet");
  await postgres.start();
  const result = await client.result;
  expect(verdictOf(result)).toEqual(expected);
  expect(charged(server)).toBe(NEEDED);
  await postgres.stop();
  const attached = machines.client(['attach', documentOf(result).run_id, '--json']);
  await attached.untilStderrHas("can't be reached yet");
  await postgres.start();
  expect(verdictOf(await attached.result)).toEqual(expected);
  await expectNothingLeft(machines);
});

// Leases and heartbeats have expired after 25 s. So what happens then is what happens after ten minutes: only the
// patience depends on the length (src/queue/postgres/outage-patience.test.ts).
test.concurrent.each([
  ['stopped', SHORT_MS, (server: PostgresServer) => server.stop()],
  ['killed', SHORT_MS, (server: PostgresServer) => server.crash()],
  ['stopped', LONG_MS, (server: PostgresServer) => server.stop()],
])('PostgreSQL is %s in the middle of a run, and back after %d ms', async (_, downMs, end) => {
  await using postgres = await startPostgres();
  await using machines = await startMachines({ database: await createDatabase(postgres) });
  const { server } = machines;
  // Answers arrive while the database is down.
  const hold = server.hold('judge');
  const client = machines.client();
  await machines.worker();
  await hold.arrived(2 * VOTES);
  await end(postgres);
  hold.release();
  await sleep(downMs);
  await postgres.start();
  const result = await client.result;
  if (downMs === LONG_MS) expect(result.stderr).toContain('is back after');
  expect(verdictOf(result)).toEqual(expected);
  expect(charged(server)).toBe(NEEDED);
  expect(callsOnBill(result)).toBe(NEEDED);
  await expectNothingLeft(machines);
});

test.concurrent('all connections are cut, again and again', async () => {
  await using machines = await startMachines();
  const { server, database } = machines;
  const client = machines.client();
  const workers = await Promise.all([machines.worker(), machines.worker()]);
  const ended = client.result.then(() => true);
  let cuts = 0;
  while (!(await Promise.race([ended, sleep(150, false)]))) {
    const cut = await database.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    if (cut.length > 0) cuts += 1;
    if (cuts > 20) break;
  }
  const result = await client.result;
  expect(cuts).toBeGreaterThan(3);
  expect(verdictOf(result)).toEqual(expected);
  expect(callsOnBill(result)).toBe(charged(server));
  for (const { child } of workers) child.kill('SIGTERM');
  for (const { result } of workers) expect((await result).code).toBe(0);
  await expectNothingLeft(machines);
});

import { beforeAll, expect, test } from 'vitest';
import { documentOf, type StartedCli } from '../../cli/cli-fixture.ts';
import { sampleScenario } from '../../cli/sample-scenario.ts';
import {
  callsOnBill,
  charged,
  expectNothingLeft,
  JOBS,
  type Machines,
  startMachines,
  TRIALS,
  undisturbed,
  VOTES,
  verdictOf,
} from './machines.ts';

const NEEDED = TRIALS * (1 + VOTES);

let expected: Awaited<ReturnType<typeof undisturbed>>;
beforeAll(async () => {
  expected = await undisturbed();
});

async function runId({ database }: Machines): Promise<string> {
  const [run] = await database.query('SELECT run_id FROM salvo.runs');
  return String(run?.run_id);
}

/**
 * Kills the client of a run that is to be resumed. A worker takes the run over if it does not hear of its client for the
 * time of a lease, and a program may need longer to start: so it seems to hear of it.
 */
async function killWithoutTakeover({ database }: Machines, client: StartedCli): Promise<void> {
  client.child.kill('SIGKILL');
  await client.result;
  await database.query("UPDATE salvo.work_orders SET coordinated_at = now() + interval '1 h'");
}

test.concurrent('the client is killed, and then the worker that leads for it', async () => {
  await using machines = await startMachines();
  const { server } = machines;
  const hold = server.hold('agent', { after: 2 });
  const client = machines.client();
  const first = await machines.worker();
  await hold.arrived(2);
  client.child.kill('SIGKILL');
  await first.untilStderrHas('so this worker coordinates it');
  first.child.kill('SIGKILL');
  await first.result;
  hold.release();
  const second = await machines.worker();
  const attached = await machines.elsewhere(['attach', await runId(machines), '--json']).result;
  expect(verdictOf(attached)).toEqual(expected);
  expect(charged(server)).toBeLessThanOrEqual(NEEDED + 2);
  expect(callsOnBill(attached)).toBeGreaterThanOrEqual(charged(server) - 2);
  second.child.kill('SIGTERM');
  expect(await second.result).toMatchObject({ code: 0 });
  await expectNothingLeft(machines);
});

test.concurrent("the client's terminal is closed, and two others attach to its run", async () => {
  await using machines = await startMachines();
  const { server } = machines;
  const hold = server.hold('agent', { after: 2 });
  const client = machines.client();
  await machines.worker();
  await hold.arrived(2);
  client.child.kill('SIGHUP');
  expect(await client.result).toMatchObject({ code: 3, stderr: expect.stringContaining('salvo attach') });
  const attach = ['attach', await runId(machines), '--json'];
  const attached = [machines.elsewhere(attach), machines.client(attach)];
  await machines.untilRow('SELECT FROM salvo.leases WHERE holder IS NOT NULL');
  hold.release();
  for (const { result } of attached) expect(verdictOf(await result)).toEqual(expected);
  expect(charged(server)).toBe(NEEDED);
  await machines.untilRow('SELECT WHERE NOT EXISTS (SELECT FROM salvo.work_orders)');
  await expectNothingLeft(machines);
});

test.concurrent('the client is killed when everything is done but its verdict', async () => {
  await using machines = await startMachines();
  const last = machines.server.hold('judge', { number: TRIALS });
  const client = machines.client();
  await machines.worker();
  await last.arrived(VOTES);
  const unlock = await machines.lock('salvo.runs');
  last.release();
  await machines.untilRow("SELECT FROM pg_locks WHERE NOT granted AND relation = 'salvo.runs'::regclass");
  client.child.kill('SIGKILL');
  await client.result;
  await unlock();
  const attached = await machines.elsewhere(['attach', await runId(machines), '--json']).result;
  expect(verdictOf(attached)).toEqual(expected);
  expect(callsOnBill(attached)).toBe(NEEDED);
  expect(charged(machines.server)).toBe(NEEDED);
});

test.concurrent('two clients resume a run of which a worker still has jobs', async () => {
  await using machines = await startMachines();
  const { server } = machines;
  const hold = server.hold('agent', { after: 2 });
  const client = machines.client();
  await machines.worker();
  await hold.arrived(2);
  await killWithoutTakeover(machines, client);
  const resumed = [1, 2].map(() => machines.client(['run', '--resume', 'latest', '--json']));
  const refused = await Promise.race(resumed.map(({ result }) => result));
  expect(refused).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/Run (\w+) is still at work.*salvo attach \1/),
  });
  hold.release();
  const results = await Promise.all(resumed.map(({ result }) => result));
  const [result] = results.filter(({ code }) => code !== 4);
  if (!result) throw new Error(results.map(({ stderr }) => stderr).join());
  expect(verdictOf(result)).toEqual(expected);
  // The worker ended what it had under way for the earlier lead.
  expect(charged(server)).toBe(NEEDED);
  expect(callsOnBill(result)).toBe(NEEDED);
  await expectNothingLeft(machines);
});

test.concurrent('a run is resumed while a worker stores a result for the client that was killed', async () => {
  await using machines = await startMachines();
  const { server } = machines;
  const hold = server.hold('judge', { number: TRIALS });
  const client = machines.client();
  await machines.worker();
  await hold.arrived(VOTES);
  await killWithoutTakeover(machines, client);
  const resumed = machines.client(['run', '--resume', 'latest', '--json']);
  await resumed.untilStderrHas('1 job is still under way');
  hold.release();
  const result = await resumed.result;
  expect(verdictOf(result)).toEqual(expected);
  expect(charged(server)).toBe(NEEDED);
  expect(callsOnBill(result)).toBe(NEEDED);
  await expectNothingLeft(machines);
});

test.concurrent('client and worker are killed: the jobs of the worker are done again when its lease has ended', async () => {
  await using machines = await startMachines();
  const { server } = machines;
  const hold = server.hold('agent', { after: 2 });
  const client = machines.client();
  const first = await machines.worker();
  await hold.arrived(2);
  for (const { child } of [client, first]) child.kill('SIGKILL');
  await Promise.all([client.result, first.result]);
  const resumed = machines.client(['run', '--resume', 'latest', '--json']);
  await resumed.untilStderrHas('2 jobs are still under way');
  hold.release();
  await machines.worker();
  const result = await resumed.result;
  expect(verdictOf(result)).toEqual(expected);
  expect(charged(server)).toBeLessThanOrEqual(NEEDED + 2);
  expect(documentOf(result).scenarios[0]).toMatchObject({ cost_total_usd: null, cost_at_least: { killed: true } });
  await expectNothingLeft(machines);
});

test.concurrent('the client is killed while it adds 10,000 jobs', async () => {
  await using machines = await startMachines({
    files: { 's.yaml': sampleScenario({ labels: ['gpu'] }) },
  });
  // Its worker leads, and takes nothing.
  const worker = await machines.worker();
  // The first jobs are added. Whoever adds more waits for a table that the test has locked.
  await machines.database.query(`
    CREATE TABLE gate ();
    CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (${JOBS}) THEN LOCK TABLE gate IN ROW EXCLUSIVE MODE; END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER gate BEFORE INSERT ON salvo.jobs EXECUTE FUNCTION wait_at_gate();`);
  const unlock = await machines.lock('gate');
  const client = machines.client(['run', 's.yaml', '-n', '10000']);
  await machines.untilRow("SELECT FROM pg_locks WHERE NOT granted AND relation = 'gate'::regclass");
  client.child.kill('SIGKILL');
  await client.result;
  await unlock();
  const [before] = await machines.database.query('SELECT count(*)::int AS jobs FROM salvo.jobs');
  expect(before?.jobs).toBeLessThan(10_000);
  await worker.untilStderrHas('so this worker coordinates it');
  await machines.untilRow(`${JOBS} HAVING count(*) >= 10000`);
  const [jobs] = await machines.database.query(
    'SELECT count(*)::int AS all, count(DISTINCT document)::int AS different FROM salvo.jobs',
  );
  expect(jobs).toEqual({ all: 10_000, different: 10_000 });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { documentOf } from '../../cli/cli-fixture.ts';
import {
  callsOnBill,
  charged,
  expectNothingLeft,
  FILES,
  RUN,
  startMachines,
  TRIALS,
  undisturbed,
  VOTES,
  verdictOf,
} from './machines.ts';

const NEEDED = TRIALS * (1 + VOTES);
/** Longer than it takes to look for orders and workers several times. */
const LOOKS_MS = 5000;

let expected: Awaited<ReturnType<typeof undisturbed>>;
beforeAll(async () => {
  expected = await undisturbed();
});

/** A machine whose clock is wrong by so many hours. */
function clockOff(hours: number): Record<string, string> {
  const code = `const Real = Date; const off = ${hours} * 3600e3;
globalThis.Date = class extends Real { constructor(...a) { super(...(a.length ? a : [Real.now() + off])); } static now() { return Real.now() + off; } };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}

test.concurrent('clocks that differ by days have no effect on leases', async () => {
  await using machines = await startMachines();
  const { server, database } = machines;
  const hold = server.hold('agent');
  const client = machines.client();
  const workers = [
    await machines.worker(['-c', '1'], clockOff(-48)),
    await machines.worker(['-c', '1'], clockOff(48)),
    await machines.worker(['-c', '1']),
  ];
  await hold.arrived(workers.length);
  // Longer than a lease: whoever trusted its own clock would take the jobs of the others.
  await sleep(15_000);
  const [jobs] = await database.query('SELECT max(attempt) AS most FROM salvo.jobs');
  expect(jobs).toEqual({ most: 1 });
  workers[0]?.child.kill('SIGKILL');
  hold.release();
  const result = await client.result;
  expect(verdictOf(result)).toEqual(expected);
  expect(charged(server)).toBe(NEEDED + 1);
  expect(callsOnBill(result)).toBe(NEEDED);
});

test.concurrent('the budget is kept when a worker is killed, and the rest is done with a larger one', async () => {
  await using machines = await startMachines();
  const { server } = machines;
  const budget = 16;
  const hold = server.hold('judge');
  const client = machines.client([...RUN, '--budget-usd', String(budget / 100)]);
  const [killed] = await Promise.all([machines.worker(['-c', '1']), machines.worker(['-c', '1'])]);
  await hold.arrived(1);
  killed.child.kill('SIGKILL');
  hold.release();
  const stopped = await client.result;
  expect(stopped.code).toBe(3);
  expect(documentOf(stopped).scenarios).toMatchObject([{ stopped: 'budget' }]);
  // One call more than the budget, and what the worker had under way that was killed.
  expect(charged(server)).toBeLessThanOrEqual(budget + 1 + VOTES);
  expect(callsOnBill(stopped)).toBeGreaterThanOrEqual(charged(server) - VOTES);
  const resumed = await machines.client(['run', '--resume', 'latest', '--budget-usd', '1', '--json']).result;
  expect(verdictOf(resumed)).toEqual(expected);
  expect(charged(server)).toBeLessThanOrEqual(NEEDED + VOTES + 1);
  await expectNothingLeft(machines);
});

test.concurrent('a teardown that fails on a worker after the last trial is in the report of the client', async () => {
  const hooks = "export const teardown = () => { throw new Error('the bucket is still there'); };\n";
  await using machines = await startMachines({
    files: { ...FILES, 'salvo.yaml': `${FILES['salvo.yaml']}hooks: ./hooks.mjs\n`, 'hooks.mjs': hooks },
  });
  const client = machines.client();
  await machines.worker(['--allow-code']);
  const result = await client.result;
  expect(verdictOf(result)).toEqual(expected);
  expect(JSON.parse(result.stdout).notes).toEqual(['teardown of the run failed: the bucket is still there']);
  await expectNothingLeft(machines);
});

test.concurrent('a worker without the label takes nothing, and the client says once what to start', async () => {
  await using machines = await startMachines({
    files: { ...FILES, 's.yaml': FILES['s.yaml'].replace('{', '{"labels":["gpu"],') },
  });
  const client = machines.client();
  await machines.worker();
  await client.untilStderrHas('salvo worker --labels gpu');
  await sleep(LOOKS_MS);
  expect(charged(machines.server)).toBe(0);
  await machines.worker(['--labels', 'gpu']);
  const result = await client.result;
  expect(verdictOf(result)).toEqual(expected);
  expect(result.stderr.split('salvo worker --labels gpu')).toHaveLength(2);
});

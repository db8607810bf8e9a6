import { beforeAll, expect, test } from 'vitest';
import {
  callsOnBill,
  charged,
  expectNothingLeft,
  type Machines,
  startMachines,
  TRIALS,
  undisturbed,
  VOTES,
  verdictOf,
} from './machines.ts';

/** One worker is killed, one is paused until others have its job, and one is asked to leave. */
const FAULTS = 3;

interface Phase {
  /** Starts the workers and waits until each has a job in this phase. Returns what ends the wait. */
  reach: (machines: Machines, startWorkers: () => Promise<void>) => Promise<() => Promise<void> | void>;
  /** What one job has paid for by then, or is about to, and has not stored. */
  unstored: number;
  /** The worker that is paused keeps its job: nobody can take it while a transaction has it. */
  isKept?: true;
}

const whenHeld = (caller: 'agent' | 'judge', count: number, after = 0): Phase['reach'] =>
  async function reach({ server }, startWorkers) {
    const hold = server.hold(caller, { after });
    await startWorkers();
    await hold.arrived(count);
    return hold.release;
  };

const whenWriting = (caller: 'agent' | 'judge', count: number): Phase['reach'] =>
  async function reach(machines, startWorkers) {
    const hold = machines.server.hold(caller);
    await startWorkers();
    await hold.arrived(count);
    const unlock = await machines.lock('salvo.trials');
    hold.release();
    const waiting = "FROM pg_locks WHERE NOT granted AND relation = 'salvo.trials'::regclass";
    await machines.untilRow(`SELECT ${waiting} HAVING count(*) >= ${FAULTS}`);
    return unlock;
  };

const PHASES: [string, Phase][] = [
  ["the agent's request under way", { unstored: 1, reach: whenHeld('agent', FAULTS) }],
  ['trace stored and not judged', { unstored: VOTES, reach: whenHeld('judge', FAULTS * VOTES) }],
  ['votes under way', { unstored: VOTES, reach: whenHeld('judge', FAULTS * VOTES - 2, 2) }],
  ['trace being written', { unstored: 1, isKept: true, reach: whenWriting('agent', FAULTS) }],
  ['result being written', { unstored: VOTES, isKept: true, reach: whenWriting('judge', FAULTS * VOTES) }],
  [
    'one trial done, and the next one begun',
    {
      unstored: 1,
      async reach(machines, startWorkers) {
        const hold = machines.server.hold('agent', { after: FAULTS });
        await startWorkers();
        await machines.untilRow(`SELECT FROM salvo.trials WHERE result IS NOT NULL HAVING count(*) >= ${FAULTS}`);
        await hold.arrived(FAULTS);
        return hold.release;
      },
    },
  ],
];

let expected: Awaited<ReturnType<typeof undisturbed>>;
beforeAll(async () => {
  expected = await undisturbed();
  expect(expected).toMatchObject({ code: 0, counts: [[TRIALS, TRIALS, 6]] });
});

test.concurrent.for(PHASES)(
  '%s: one worker is killed, one is paused until others have its job, one is asked to leave',
  async ([, { reach, unstored, isKept }], { task }) => {
    task.meta.cases = FAULTS;
    await using machines = await startMachines();
    const { server } = machines;
    const last = server.hold('agent', { number: TRIALS });
    const client = machines.client();
    const workers = Array.from({ length: FAULTS }, () => machines.elsewhere(['worker', '-c', '1']));
    const [killed, paused, asked] = workers;
    if (!killed || !paused || !asked) throw new RangeError('Too few workers.');
    const goOn = await reach(machines, async () => {
      await Promise.all(workers.map((worker) => worker.untilStderrHas('takes up to')));
    });
    killed.child.kill('SIGKILL');
    paused.child.kill('SIGSTOP');
    asked.child.kill('SIGTERM');
    await killed.result;
    await goOn();
    expect(await asked.result).toMatchObject({ code: 0 });
    await machines.worker();
    const done = TRIALS - (isKept ? 2 : 1);
    await machines.untilRow(`SELECT FROM salvo.trials WHERE result IS NOT NULL HAVING count(*) >= ${done}`);
    paused.child.kill('SIGCONT');
    paused.child.kill('SIGTERM');
    expect(await paused.result).toMatchObject({ code: 0 });
    last.release();
    const result = await client.result;

    expect(verdictOf(result)).toEqual(expected);
    // What the worker that was killed had not stored is lost, and so is nothing else.
    const needed = TRIALS * (1 + VOTES);
    expect(charged(server)).toBeLessThanOrEqual(needed + 2 * unstored);
    expect(callsOnBill(result)).toBeLessThanOrEqual(charged(server));
    expect(callsOnBill(result)).toBeGreaterThanOrEqual(charged(server) - unstored);
    expect(JSON.parse(result.stdout).notes).toEqual([expect.stringContaining('A process was killed')]);
    await expectNothingLeft(machines);
  },
);

test.concurrent('a worker that was paused wakes up while another has its job under way', async () => {
  await using machines = await startMachines();
  const { server } = machines;
  const answered = server.hold('agent', { number: 1 });
  const client = machines.client();
  const paused = await machines.worker(['-c', '1']);
  await answered.arrived(1);
  paused.child.kill('SIGSTOP');
  answered.release();
  const repeated = server.hold('agent', { number: 1 });
  await machines.worker();
  await repeated.arrived(1);
  paused.child.kill('SIGCONT');
  paused.child.kill('SIGTERM');
  expect(await paused.result).toMatchObject({ code: 0 });
  repeated.release();
  const result = await client.result;
  expect(verdictOf(result)).toEqual(expected);
  // The call was paid for twice. Both are on the bill, unless the worker learned of its loss before it read the answer.
  const needed = TRIALS * (1 + VOTES);
  expect(charged(server)).toBe(needed + 1);
  expect([needed, needed + 1]).toContain(callsOnBill(result));
  await expectNothingLeft(machines);
});

test.concurrent('a worker is paused and cut off while it writes a result: its votes are used, and paid for once', async () => {
  await using machines = await startMachines();
  const { server, database } = machines;
  const hold = server.hold('judge', { number: 1 });
  const last = server.hold('agent', { number: TRIALS });
  const client = machines.client();
  const paused = await machines.worker(['-c', '1']);
  await hold.arrived(VOTES);
  const unlock = await machines.lock('salvo.trials');
  hold.release();
  const waiting = "pg_locks WHERE NOT granted AND relation = 'salvo.trials'::regclass";
  await machines.untilRow(`SELECT FROM ${waiting}`);
  paused.child.kill('SIGSTOP');
  await database.query(`SELECT pg_terminate_backend(pid) FROM ${waiting}`);
  await unlock();
  await machines.worker();
  await machines.untilRow(`SELECT FROM salvo.trials WHERE result IS NOT NULL HAVING count(*) >= ${TRIALS - 1}`);
  paused.child.kill('SIGCONT');
  paused.child.kill('SIGTERM');
  expect(await paused.result).toMatchObject({ code: 0 });
  last.release();
  const result = await client.result;
  expect(verdictOf(result)).toEqual(expected);
  expect(charged(server)).toBe(TRIALS * (1 + VOTES));
  expect(callsOnBill(result)).toBe(charged(server));
  await expectNothingLeft(machines);
});

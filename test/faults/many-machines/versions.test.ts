import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { salvoVersion } from '../../../packages/salvo/src/text/modules/salvo-version.ts';
import { LATER_TABLES, OTHER_FORMS, otherVersion } from '../../other-version.ts';
import { createDatabase } from '../../postgres.ts';
import {
  charged,
  expectNothingLeft,
  JOBS,
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
const OWN = salvoVersion();

let expected: Awaited<ReturnType<typeof undisturbed>>;
beforeAll(async () => {
  expected = await undisturbed();
});

test.concurrent.each([
  ['an earlier worker', '0.0.1', 'worker', []],
  ['a later worker', '9.9.9', 'worker', []],
  ['a worker that describes itself in another form', '9.9.9', 'worker', OTHER_FORMS],
  ['an earlier client', '0.0.1', 'client', []],
  ['a client whose orders have another form', '9.9.9', 'client', OTHER_FORMS],
] as const)(
  '%s: nothing is taken, both sides say once what to install, and a worker of the version does it',
  async (_, version, side, differences) => {
    await using other = await otherVersion(version, differences);
    const { main } = other;
    await using machines = await startMachines(side === 'worker' ? { workerMain: main } : { clientMain: main });
    const needed = side === 'worker' ? OWN : version;
    const client = machines.client();
    await machines.untilRow(`${JOBS} HAVING count(*) >= ${TRIALS}`);
    const worker = await machines.worker();
    await worker.untilStderrHas(`npm install salvo@${needed}`);
    await client.untilStderrHas(`This run needs ${needed}`);
    await sleep(LOOKS_MS);
    expect(charged(machines.server)).toBe(0);
    // In the folder of the project, so with the program of the client.
    const fitting = machines.client(['worker', '-c', '2']);
    const result = await client.result;
    expect(verdictOf(result)).toEqual(expected);
    expect(charged(machines.server)).toBe(NEEDED);
    expect(result.stderr.split(`npm install salvo@${needed}`)).toHaveLength(2);
    for (const { child } of [worker, fitting]) child.kill('SIGTERM');
    const { code, stderr } = await worker.result;
    expect(code).toBe(0);
    expect(stderr.split('nothing of it is taken here')).toHaveLength(2);
    await expectNothingLeft(machines);
  },
);

test.concurrent('a worker whose tables a later client changes ends with exit code 4, and the run is done by others', async () => {
  await using later = await otherVersion('9.9.9', [LATER_TABLES]);
  await using machines = await startMachines({ clientMain: later.main });
  const early = await machines.worker();
  const client = machines.client([...RUN, '--local-workers', '1']);
  const { code, stderr } = await early.result;
  expect([code, stderr]).toEqual([4, expect.stringContaining('has tables of a later version of Salvo (work)')]);
  expect(verdictOf(await client.result)).toEqual(expected);
  expect(charged(machines.server)).toBe(NEEDED);
  const next = await machines.elsewhere(['worker']).result;
  expect([next.code, next.stderr]).toEqual([4, expect.stringContaining('Install that version: npm install salvo@')]);
  expect(next.stderr).not.toContain('    at ');
  await expectNothingLeft(machines);
});

test.concurrent('tables are not changed under a run: a later worker is told to wait', async () => {
  await using later = await otherVersion('9.9.9', [LATER_TABLES]);
  await using database = await createDatabase();
  const keep = { ...database, [Symbol.asyncDispose]: async () => {} };
  await using machines = await startMachines({ database: keep });
  await using laterMachines = await startMachines({ database: keep, workerMain: later.main });
  const hold = machines.server.hold('agent');
  const client = machines.client();
  await machines.worker();
  await hold.arrived(2);
  const refused = await laterMachines.elsewhere(['worker']).result;
  expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('They are not changed under it.')]);
  hold.release();
  expect(verdictOf(await client.result)).toEqual(expected);
  expect(charged(machines.server)).toBe(NEEDED);
  await laterMachines.worker();
});

import { beforeAll, expect, test } from 'vitest';
import { LEASE_MS } from '../../../packages/salvo/src/queue/lease.ts';
import { runProgram } from '../../cli/cli-fixture.ts';
import { startAnsweringServer } from '../../loopback/answering-server.ts';
import { projectFixture } from '../../project-fixture.ts';
import { CALL_USD, paidProject, startPaidServer } from '../paid-server.ts';
import { expectNothingLeft, startMachines } from './machines.ts';
import { watchLostGames } from './queue-state.ts';

const GAMES = 4;
const files = {
  ...paidProject,
  'salvo.yaml': `default_adapter: openai\n${paidProject['salvo.yaml']}`,
  'e.yaml': JSON.stringify({
    name: 'games',
    tasks: { sample: GAMES },
    red: ['llm:red-model'],
    blue: ['llm:blue-model'],
    llm: ['judge-model'],
    votes: 1,
    matcher: 'documented',
    concurrency: 1,
    seed: 1,
  }),
};
const EXPERIMENT = ['experiment', 'e.yaml', '--json'];

/** What an experiment has found, whatever happened to its machines. */
function foundBy({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }) {
  if (stdout === '') throw new Error(`No document, exit code ${code}:\n${stderr}`);
  const { games, blues, manifests, failed } = JSON.parse(stdout);
  const [{ found, vulnerabilities, alarms }] = blues;
  return { code, games, failed, blue: { found, vulnerabilities, alarms }, manifests };
}

/** Calls on the bill of an experiment. */
function callsOnBill({ stdout }: { stdout: string }): number {
  return Math.round(JSON.parse(stdout).cost_usd.known / CALL_USD);
}

let expected: ReturnType<typeof foundBy>;
beforeAll(async () => {
  await using project = await projectFixture(files);
  await using server = await startPaidServer();
  expected = foundBy(await runProgram(EXPERIMENT, { cwd: project.root, env: server.env }));
  expect(expected).toMatchObject({ code: 0, games: { planned: GAMES, scored: GAMES } });
  expect(server.calls).toMatchObject({ red: GAMES, blue: GAMES });
  expect(server.calls.judge).toBeGreaterThan(0);
});

test.concurrent.for(['red', 'blue', 'judge'] as const)(
  'one worker is killed and one is paused past its lease during a call of %s',
  async (caller, { task }) => {
    task.meta.cases = 2;
    await using machines = await startMachines({ files });
    const { server, database } = machines;
    await machines.elsewhere(['db', 'migrate']).result;
    const lostGames = await watchLostGames(database);
    const hold = server.hold(caller);
    const client = machines.client(EXPERIMENT);
    const [killed, paused] = await Promise.all([machines.worker(['-c', '1']), machines.worker(['-c', '1'])]);
    await hold.arrived(2);
    // Both calls may be of one worker: the other is past its Red, too.
    if (caller !== 'red') await machines.untilRow('SELECT FROM salvo.game_code HAVING count(*) >= 2');
    killed.child.kill('SIGKILL');
    paused.child.kill('SIGSTOP');
    await killed.result;
    hold.release();
    await machines.worker();
    const result = await client.result;
    expect(foundBy(result)).toEqual(expected);
    expect(JSON.parse(result.stdout).cost_usd).toMatchObject({ killed: true });
    // On a machine that is too busy for it, another worker may be silent for the time of a lease as well.
    const lost = await lostGames();
    expect(lost.length).toBeGreaterThanOrEqual(2);
    expect(Math.min(...lost.map(({ silentSeconds }) => silentSeconds))).toBeGreaterThanOrEqual(LEASE_MS / 1000);
    // Each repeats one game, and code that was stored is not paid for again.
    expect(server.calls.red).toBeLessThanOrEqual(GAMES + lost.filter(({ hasCode }) => !hasCode).length);
    expect(server.calls.blue).toBeLessThanOrEqual(GAMES + lost.length);

    const games = () => database.query('SELECT game_id, game FROM salvo.games ORDER BY game_id');
    const before = await games();
    paused.child.kill('SIGCONT');
    paused.child.kill('SIGTERM');
    expect(await paused.result).toMatchObject({ code: 0 });
    expect(await games()).toEqual(before);
    const shown = await machines.client(['experiment', '--show', 'latest', '--json']).result;
    // What the paused worker knows of its game has been added. What the killed one had paid for is not known.
    expect(callsOnBill(shown)).toBeGreaterThanOrEqual(callsOnBill(result));
    expect(callsOnBill(shown)).toBeLessThanOrEqual(server.calls.red + server.calls.blue + server.calls.judge);
    await expectNothingLeft(machines);
  },
);

test.concurrent('a worker with a wrong key leaves its games to others, and fails them if there are none', async ({
  task,
}) => {
  task.meta.cases = 2;
  await using machines = await startMachines({ files });
  await using refusing = await startAnsweringServer(() => ({ status: 401, json: { error: { message: 'No.' } } }));
  const env = { OPENAI_BASE_URL: `${refusing.url}/v1` };
  const alone = machines.client(EXPERIMENT);
  const wrong = await machines.worker([], env);
  await wrong.untilStderrHas('nothing more of it is taken here');
  const { code, stdout } = await alone.result;
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({ games: { scored: 0, failed: GAMES } });
  expect(JSON.parse(stdout).failed[0].error).toContain('refused the key');

  // The other worker has one job for as long as this one needs to take another. It takes its job first: one that opens
  // the experiment half a minute after the other's report would not be waited for.
  const hold = machines.server.hold('red');
  await machines.worker(['-c', '1']);
  wrong.child.kill('SIGSTOP');
  const resumed = machines.client(['experiment', '--resume', 'latest', '--json']);
  await hold.arrived(1);
  wrong.child.kill('SIGCONT');
  await resumed.untilStderrHas('takes nothing more of it');
  hold.release();
  const result = await resumed.result;
  expect(foundBy(result)).toEqual(expected);
  const { red, blue, judge } = machines.server.calls;
  expect(callsOnBill(result)).toBe(red + blue + judge);
  wrong.child.kill('SIGTERM');
  expect((await wrong.result).stderr).toContain('ended. 0 jobs done here.');
  await expectNothingLeft(machines);
});

import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { documentOf, runProgram, startCli, storeOf } from '../cli/cli-fixture.ts';
import { sampleScenario } from '../cli/sample-scenario.ts';
import { projectFixture } from '../project-fixture.ts';
import { paidProject, startPaidServer } from './paid-server.ts';

const criteria = [{ name: 'polite', description: 'Says please.', weight: 1 }];
const openai = { adapter: 'openai', model: 'agent-model', script: undefined };
const files = {
  ...paidProject,
  's.yaml': sampleScenario({ ...openai, assertions: [{ type: 'output_contains', value: 'Please' }] }),
  'judged.yaml': sampleScenario({ ...openai, assertions: [{ type: 'judge', criteria }] }),
};
const RESUME = ['run', '--resume', 'latest', '--json'];

test.each([1, 2, 3])(
  'of resumes at once all but one are refused, and nothing is paid for twice (round %i)',
  async (round) => {
    await using project = await projectFixture(files);
    await using server = await startPaidServer();
    const at = { cwd: project.root, env: server.env };
    const arrived = server.arrivals(round);
    const { child, result } = startCli(['run', 's.yaml', '-n', '30', '--concurrency', '1'], at);
    await arrived;
    child.kill('SIGKILL');
    await result;
    const results = await Promise.all([1, 2, 3].map(() => runProgram(RESUME, at)));
    expect(results.filter(({ code }) => code !== 0 && code !== 4)).toEqual([]);
    const refused = results.filter(({ code }) => code === 4);
    for (const { stderr } of refused) expect(stderr).toMatch(/Run \w+ is still at work in process \d+/);
    const [finished] = results.filter(({ code }) => code === 0);
    if (!finished) throw new Error(results.map(({ stderr }) => stderr).join());
    expect(documentOf(finished).scenarios[0]?.trials).toHaveLength(30);
    // One call was under way when the run was killed. A resume that came after the end had nothing to do.
    expect(server.calls.agent).toBeLessThanOrEqual(31);
  },
);

test('a run that was suspended past its lease stops when another process has taken it over', async () => {
  await using project = await projectFixture(files);
  await using server = await startPaidServer();
  const at = { cwd: project.root, env: server.env };
  const arrived = server.arrivals(3);
  const { child, result } = startCli(['run', 's.yaml', '-n', '30', '--concurrency', '1'], at);
  await arrived;
  child.kill('SIGSTOP');
  try {
    const taken = await runProgram(RESUME, at);
    expect(taken.code).toBe(0);
    expect(documentOf(taken).scenarios[0]?.trials).toHaveLength(30);
  } finally {
    child.kill('SIGCONT');
  }
  const { code, stderr } = await result;
  expect([code, stderr]).toEqual([3, expect.stringMatching(/Another process has taken over run \w+/)]);
  // What each of the two had under way.
  expect(server.calls.agent).toBeLessThanOrEqual(32);
  await using store = await storeOf(project);
  expect(await store.listRuns()).toMatchObject([{ status: 'finished', verdict: 'PASS' }]);
  expect(await store.findTraceIds('', 100)).toHaveLength(30);
});

test('trials without an answer run again, and those that were not judged are judged without the agent', async () => {
  await using project = await projectFixture(files);
  await using server = await startPaidServer();
  const at = { cwd: project.root, env: server.env };
  server.isDown = true;
  const down = await runProgram(['run', 'judged.yaml', '-n', '2', '--retries', '0'], at);
  expect(down.code).toBe(3);
  server.isDown = false;
  const resumed = await runProgram(RESUME, at);
  expect(resumed.code).toBe(0);
  expect(resumed.stderr).toContain('Run again, because the agent did not finish: 2 trials.');
  expect(server.calls).toEqual({ agent: 2, judge: 6, red: 0, blue: 0 });

  // As a kill after the votes and before the result leaves it.
  {
    await using store = await storeOf(project);
    const [run] = await store.listRuns();
    for (const trial of await Array.fromAsync(store.trials(run?.run_id ?? ''))) {
      await store.saveTrial({ ...trial, result: null });
    }
    await store.updateRun(run?.run_id ?? '', { status: 'running', verdict: null });
  }
  const again = await runProgram(RESUME, at);
  expect(again.stderr).toContain('Judged again, without calling the agent: 2 trials.');
  expect(server.calls).toEqual({ agent: 2, judge: 6, red: 0, blue: 0 });
  // Every agent had its answer. Of judges, further calls may have been under way.
  expect(documentOf(again).scenarios[0]).toMatchObject({
    cost_total_usd: 0.02,
    judge_cost_at_least: { usd: 0.06, calls_unknown: 0, killed: true },
  });
});

test('a disk that is full in the middle of a run: exit code 3, and the rest is run once there is space', async (context) => {
  await using project = await projectFixture(files);
  await using server = await startPaidServer();
  const at = { cwd: project.root, env: server.env };
  const folder = project.path('.salvo');
  await mkdir(folder);
  const mount = (...args: string[]) => spawnSync('mount', args).status === 0;
  if (!mount('-t', 'tmpfs', '-o', 'size=600k', 'tmpfs', folder)) context.skip('a disk cannot be mounted here');
  try {
    const full = await runProgram(['run', 's.yaml', '-n', '400', '--concurrency', '4'], at);
    expect(full).toMatchObject({ code: 3, stderr: expect.stringContaining('No space is left for') });
    expect(mount('-o', 'remount,size=50m', folder)).toBe(true);
    const resumed = await runProgram(RESUME, at);
    expect(resumed.code).toBe(0);
    expect(documentOf(resumed).scenarios[0]?.trials).toHaveLength(400);
    expect(mount('-o', 'remount,ro', folder)).toBe(true);
    for (const command of [['report'], ['replay', '1'], ['export', 'latest'], ['report', '--history']]) {
      expect([command, (await runProgram(command, at)).code]).toEqual([command, 0]);
    }
    const refused = await runProgram(['run', 's.yaml'], at);
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining("can't be opened for writing") });
  } finally {
    spawnSync('umount', [folder]);
  }
});

import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { projectFixture } from '../project-fixture.ts';
import { documentOf, runCli } from './cli-fixture.ts';
import { sampleScenario } from './sample-scenario.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/simulated-user', import.meta.url));

async function exampleProject() {
  const project = await projectFixture();
  await cp(EXAMPLE, project.root, { recursive: true, filter: (source) => !source.includes('.salvo') });
  return project;
}

test('users that break their role in known places are all found, and no other', async () => {
  await using project = await exampleProject();
  const run = await runCli(['run', '-n', '1', '--json'], { cwd: project.root });
  expect(run.code).toBe(3);
  const [played, script] = documentOf(run).scenarios;
  expect(played?.trials.map((trial) => [trial.case, trial.status, trial.simulated_user?.broke_role])).toEqual([
    ['keeps its role', 'passed', null],
    ['says more at the end', 'passed', null],
    ['invents an order number', 'unscored', 'unknown_fact'],
    ['speaks as the agent', 'unscored', 'agent_role'],
    ['ends too early', 'unscored', 'ended_early'],
    ['never ends', 'unscored', 'never_ended'],
  ]);
  expect(played?.trials.map(({ error_code }) => error_code)).toEqual([
    ...[null, null],
    ...Array.from({ length: 4 }, () => 'USER_BROKE_ROLE'),
  ]);
  expect(played?.simulated_users).toEqual({
    trials: 6,
    broke_role: 4,
    kinds: { agent_role: 1, ended_early: 1, never_ended: 1, unknown_fact: 1 },
  });
  expect(played?.user_cost_usd).toBeGreaterThan(0);
  // A script is not checked, and costs nothing.
  expect(script).toMatchObject({ verdict: 'PASS' });
  expect(script).not.toHaveProperty('simulated_users');
  expect(script).not.toHaveProperty('user_cost_usd');
});

test('a model for users is refused if there are none', async () => {
  await using project = await projectFixture({ 's.yaml': sampleScenario() });
  const { code, stdout, stderr } = await runCli(['run', 's.yaml', '--user', 'careful'], { cwd: project.root });
  expect([code, stdout]).toEqual([4, '']);
  expect(stderr).toContain('--user chooses the model of simulated users, but no scenario that is chosen has a `user`');
  expect(existsSync(project.path('.salvo'))).toBe(false);
});

test('another model can play the users of a run', async () => {
  await using project = await exampleProject();
  const run = await runCli(['run', '-n', '2', '--user', 'careful', '--json'], { cwd: project.root });
  expect(run.code).toBe(0);
  expect(documentOf(run).scenarios[0]).toMatchObject({ simulated_users: { trials: 12, broke_role: 0, kinds: {} } });
});

test('a run with another user is not comparable', async () => {
  await using project = await exampleProject();
  const command = ['run', 'scenarios/cancel-order.yaml', '-n', '1', '--json'];
  const idOf = async (words: string[]) => documentOf(await runCli(words, { cwd: project.root })).run_id;
  const [base, next] = [await idOf(command), await idOf([...command, '--user', 'careful'])];
  const { stdout } = await runCli(['compare', base, next], { cwd: project.root });
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('the simulated user was {{played_by}}, and is careful');
});

test('the report says how often users broke their role, and what they cost', async () => {
  await using project = await exampleProject();
  const { stdout } = await runCli(['run', '-n', '1'], { cwd: project.root });
  const text = stdout.replaceAll(/\s+/g, ' ');
  expect(text).toContain('The simulated user broke its role in 4 of 6 trials (67%), which are not scored');
  expect(text).toMatch(/\+ \$0\.00\d+ users/);
  const replay = await runCli(['replay', 'cancel-order/says more at the end', '1'], { cwd: project.root });
  expect(replay.stdout).toContain('user · simulated');
  expect(replay.stdout).toContain('the user ended the conversation');
});

test('a run that is resumed repeats the trials whose user broke its role', async () => {
  await using project = await exampleProject();
  await runCli(['run', 'scenarios/cancel-order.yaml', '-n', '1', '--quiet'], { cwd: project.root });
  const users = await readFile(project.path('users.yaml'), 'utf8');
  await project.write('users.yaml', users.replace("It's #W9910423.", "It's #W2378156. ###STOP###"));
  const resumed = await runCli(['run', '--resume', 'latest', '--mixed', '--json'], { cwd: project.root });
  const trials = documentOf(resumed).scenarios[0]?.trials ?? [];
  const broke = trials.flatMap((trial) => (trial.simulated_user?.broke_role ? [trial.case] : []));
  expect(broke).toEqual(['speaks as the agent', 'ends too early', 'never ends']);
});

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isAlive } from '../is-alive.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { documentOf, runCli, runProgram, startCli, storeOf } from './cli-fixture.ts';
import { sampleScenario } from './sample-scenario.ts';

/** An agent that writes down when it starts and when it is done, and in between waits while there is a file `wait`. */
const waitingAgent = `
import { appendFileSync, existsSync } from 'node:fs';
export default async function agent({ signal }) {
  appendFileSync('started.txt', 'x');
  while (existsSync('wait')) await new Promise((resolve) => setTimeout(resolve, 10));
  appendFileSync('finished.txt', 'x');
  return 'Done.';
}
`;
const files = {
  wait: '',
  'agent.mjs': waitingAgent,
  's.yaml': sampleScenario({ adapter: './agent.mjs', script: undefined }),
};

async function letters(project: ProjectFixture, name: string): Promise<number> {
  return existsSync(project.path(name)) ? (await readFile(project.path(name), 'utf8')).length : 0;
}

async function untilStarted(project: ProjectFixture, count: number): Promise<void> {
  while ((await letters(project, 'started.txt')) < count) await sleep(20);
}

test('Ctrl-C finishes what is under way and reports what is there; --resume runs the rest', async () => {
  await using project = await projectFixture(files);
  const args = ['run', 's.yaml', '-n', '6', '--concurrency', '2', '--quiet'];
  const { child, result, untilStderrHas } = startCli(args, { cwd: project.root });
  await untilStarted(project, 2);
  child.kill('SIGINT');
  await untilStderrHas('Finishing');
  await project.remove('wait');
  const interrupted = await result;
  expect(interrupted.code).toBe(3);
  expect(await letters(project, 'finished.txt')).toBe(2);
  expect(await letters(project, 'started.txt')).toBe(2);
  expect(interrupted.stdout).toContain('2 of 6 planned trials ran: interrupted');
  expect(interrupted.stderr).toMatch(/^Finishing the trials under way[^\n]*\n$/);

  const resumed = await runProgram(['run', '--resume', 'latest', '--json'], { cwd: project.root });
  expect(resumed.code).toBe(0);
  expect(documentOf(resumed)).toMatchObject({ verdict: 'PASS', scenarios: [{ trials_total: 6, stopped: null }] });
  expect(await letters(project, 'started.txt')).toBe(6);
});

test('SIGTERM does the same, and a trial that was given up is a gap in the strip of trials', async () => {
  const firstWaits = waitingAgent
    .replace("existsSync('wait')", "trialNumber === 1 && existsSync('wait')")
    .replace('{ signal }', '{ trialNumber }');
  await using project = await projectFixture({ ...files, 'agent.mjs': firstWaits });
  const args = ['run', 's.yaml', '-n', '4', '--concurrency', '2'];
  const { child, result, untilStderrHas } = startCli(args, { cwd: project.root });
  await untilStarted(project, 4);
  await using store = await storeOf(project);
  const [run] = await store.listRuns();
  const scored = async () => (await Array.fromAsync(store.trials(run?.run_id ?? ''))).filter(({ result }) => result);
  await expect.poll(async () => (await scored()).length).toBe(3);
  child.kill('SIGTERM');
  await untilStderrHas('Finishing');
  child.kill('SIGTERM');
  const { code, stdout } = await result;
  expect(code).toBe(3);
  expect(stdout).toContain('·●●●');
});

test('Ctrl-C twice gives up what is under way, which then counts as never run', async () => {
  await using project = await projectFixture(files);
  const args = ['run', 's.yaml', '-n', '4', '--concurrency', '2', '--json'];
  const { child, result, untilStderrHas } = startCli(args, { cwd: project.root });
  await untilStarted(project, 2);
  child.kill('SIGINT');
  await untilStderrHas('Finishing');
  child.kill('SIGINT');
  // `wait` is still there: a program that waited for its agents would not end.
  const interrupted = await result;
  expect(interrupted.code).toBe(3);
  expect(documentOf(interrupted)).toMatchObject({ scenarios: [{ trials_total: 0, stopped: 'interrupted' }] });
  await project.remove('wait');
  const resumed = await runProgram(['run', '--resume', 'latest', '--json'], { cwd: project.root });
  expect(documentOf(resumed)).toMatchObject({ exit_code: 0, scenarios: [{ trials_total: 4, trials_passed: 4 }] });
});

test('Ctrl-C twice while judging keeps what the agents cost, and says that their trials were not judged', async () => {
  await using project = await projectFixture({
    'judge.mjs': `
      import { appendFileSync, existsSync } from 'node:fs';
      export default async function judge() {
        appendFileSync('started.txt', 'x');
        while (existsSync('wait')) await new Promise((resolve) => setTimeout(resolve, 10));
        return { content: '{"polite": {"reasoning": "yes", "score": 1}}' };
      }`,
    wait: '',
    'salvo.yaml':
      'adapters: { slow: { type: module, path: judge.mjs } }\njudge: { adapter: slow, model: slow, k: 1 }\n',
    's.yaml': sampleScenario({
      model: 'gpt-4o-mini',
      assertions: [{ type: 'judge', criteria: [{ name: 'polite', description: 'Is it polite?' }] }],
    }),
  });
  const args = ['run', 's.yaml', '-n', '2', '--concurrency', '2'];
  const { child, result, untilStderrHas } = startCli(args, { cwd: project.root });
  await untilStarted(project, 2);
  child.kill('SIGINT');
  await untilStderrHas('Finishing');
  child.kill('SIGINT');
  const interrupted = await result;
  expect(interrupted.code).toBe(3);
  expect(interrupted.stdout).toContain('all of 2 trials ran but none was judged');
  const report = await runCli(['report', '--json'], { cwd: project.root });
  const [scenario] = documentOf(report).scenarios;
  expect(scenario).toMatchObject({ trials_total: 0, trials_not_judged: 2, decided_by: 'missing_trials' });
  expect(scenario?.cost_total_usd).toBeCloseTo(2 * (100 * 0.15e-6 + 10 * 0.6e-6), 9);
  await project.remove('wait');
  const resumed = await runProgram(['run', '--resume', 'latest', '--json'], { cwd: project.root });
  expect(documentOf(resumed)).toMatchObject({ exit_code: 0, scenarios: [{ trials_total: 2, trials_not_judged: 0 }] });
});

test('a program that the agent started is ended with the run', async () => {
  await using project = await projectFixture({
    'agent.sh': 'echo $$ > pid.txt; exec sleep 600',
    'salvo.yaml': 'adapters: { mine: { type: exec, command: [sh, agent.sh] } }',
    's.yaml': sampleScenario({ adapter: 'mine', script: undefined }),
  });
  const { child, result, untilStderrHas } = startCli(['run', 's.yaml', '-n', '1'], { cwd: project.root });
  while ((await letters(project, 'pid.txt')) === 0) await sleep(20);
  const pid = Number(await readFile(project.path('pid.txt'), 'utf8'));
  child.kill('SIGTERM');
  await untilStderrHas('Finishing');
  child.kill('SIGTERM');
  expect((await result).code).toBe(3);
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test('a short run without a terminal writes only warnings and failures to standard error', async () => {
  await using project = await projectFixture({
    'fine.yaml': sampleScenario({ script: [{ error: { status: 529 } }, { content: 'Done.', delay_ms: 50 }] }),
    'unchecked.yaml': sampleScenario({ name: 'unchecked', assertions: [] }),
  });
  const fine = await runProgram(['run', 'fine.yaml', '-n', '2'], { cwd: project.root });
  expect(fine).toMatchObject({ code: 0, stderr: '' });
  const unchecked = await runProgram(['run', 'unchecked.yaml', '-n', '1'], { cwd: project.root });
  expect(unchecked.stderr).toMatch(/^unchecked\.yaml:1:\d+ warning \[no-assertions\]/);
  expect(unchecked.stdout + fine.stdout).not.toContain('\u001b');
});

import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { RunDocument } from '../../packages/salvo/src/run/record/run-document.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { documentOf, GATE, type ProgramResult, runCli, startCli, storeOf } from './cli-fixture.ts';
import { sampleScenario } from './sample-scenario.ts';

/** An agent behind a gate whose answer depends on seed and trial. */
const gatedAgent = `${GATE}
import { readFileSync } from 'node:fs';
const { seed, trial_number } = JSON.parse(readFileSync(0, 'utf8')).conversation;
console.log(JSON.stringify({ content: (seed >>> trial_number) & 1 ? 'Done.' : 'No.' }));`;
const gated = {
  wait: '',
  'agent.mjs': gatedAgent,
  'salvo.yaml': 'adapters: { gated: { type: exec, command: [node, agent.mjs] } }',
  's.yaml': sampleScenario({ adapter: 'gated', script: undefined }),
};
const TRIALS = ['-n', '12', '--concurrency', '2'];

/** The scores, without ids and times. */
function scoresOf({ verdict, scenarios }: RunDocument) {
  const trials = scenarios.flatMap((scenario) => scenario.trials);
  return { verdict, trials: trials.map(({ trial_number, status, score }) => ({ trial_number, status, score })) };
}

/** The numbers of the trials in the store, with the traces they have. */
async function storedTraces(project: ProjectFixture): Promise<Map<number, string | null>> {
  await using store = await storeOf(project);
  const [run] = await store.listRuns({ limit: 1 });
  const traces = new Map<number, string | null>();
  if (!run) return traces;
  for await (const { trial_number, trace_id } of store.trials(run.run_id)) traces.set(trial_number, trace_id);
  return traces;
}

async function untilStored(project: ProjectFixture, count: number): Promise<void> {
  while ((await storedTraces(project)).size < count) await sleep(20);
}

/** Starts a run and kills it, with no chance to tidy up, once three trials are stored. */
async function killedRun(project: ProjectFixture, ...args: string[]): Promise<ProgramResult> {
  const { child, result } = startCli(['run', 's.yaml', ...TRIALS, ...args], { cwd: project.root });
  await untilStored(project, 3);
  child.kill('SIGKILL');
  const killed = await result;
  await project.remove('wait');
  return killed;
}

describe('a run that was killed', () => {
  test('is completed by --resume with what an uninterrupted one gives, and only what is missing runs', async () => {
    await using project = await projectFixture(gated);
    const killed = await killedRun(project, '--seed', '5');
    expect(killed.signal).toBe('SIGKILL');
    const before = await storedTraces(project);
    expect(before.size).toBe(3);

    const resumed = await runCli(['run', '--resume', 'latest', '--json'], { cwd: project.root });
    const after = await storedTraces(project);
    expect(after.size).toBe(12);
    // A trial that ran again would have a trace of another time, and so of another id.
    for (const [number, trace] of before) expect(after.get(number)).toBe(trace);

    const whole = await runCli(['run', 's.yaml', ...TRIALS, '--seed', '5', '--json'], { cwd: project.root });
    expect(scoresOf(documentOf(resumed))).toEqual(scoresOf(documentOf(whole)));
    expect(resumed.code).toBe(whole.code);
    expect(new Set(scoresOf(documentOf(whole)).trials.map(({ score }) => score))).toEqual(new Set([0, 1]));
  });

  test('has no report until it is completed', async () => {
    await using project = await projectFixture(gated);
    await killedRun(project);
    const { code, stderr } = await runCli(['report'], { cwd: project.root });
    expect(code).toBe(4);
    expect(stderr).toContain('--resume');
  });
});

describe('--resume', () => {
  test('takes any unambiguous prefix of the id, and runs nothing for a complete run', async () => {
    await using project = await projectFixture({ 's.yaml': sampleScenario() });
    const first = documentOf(await runCli(['run', 's.yaml', '--json'], { cwd: project.root }));
    const again = await runCli(['run', 's.yaml', '--resume', first.run_id.slice(0, 4), '--json'], {
      cwd: project.root,
    });
    expect(again.code).toBe(0);
    expect(documentOf(again)).toEqual(first);
  });

  test('refuses a prefix that fits several runs', async () => {
    await using project = await projectFixture({ 's.yaml': sampleScenario() });
    const { run_id } = documentOf(await runCli(['run', 's.yaml', '--json', '-n', '1'], { cwd: project.root }));
    {
      await using store = await storeOf(project);
      const run = await store.getRun(run_id);
      if (run) await store.createRun({ ...run, run_id: `${run_id.slice(0, 6)}-other` });
    }
    const { code, stderr } = await runCli(['run', '--resume', run_id.slice(0, 6)], { cwd: project.root });
    expect(code).toBe(4);
    expect(stderr).toContain(`More than one run begins with "${run_id.slice(0, 6)}"`);
    expect(stderr).toContain(run_id);
  });

  test('goes on with the adapter and the model that the run was begun with, and refuses others', async () => {
    await using project = await projectFixture({
      'salvo.yaml': 'prices: { penny: { input_per_million: 100, output_per_million: 0 } }\n',
      's.yaml': sampleScenario(),
    });
    const begin = ['run', 's.yaml', '-n', '5', '--model', 'penny', '--budget-usd', '0.025', '--json'];
    expect(documentOf(await runCli(begin, { cwd: project.root })).scenarios[0]?.trials_total).toBe(2);
    const resume = (...args: string[]) =>
      runCli(['run', '--resume', 'latest', '--budget-usd', '1', '--json', ...args], { cwd: project.root });
    const other = await resume('--model', 'scripted');
    expect(other).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('resume it without --adapter and --model'),
    });
    const resumed = documentOf(await resume());
    expect(resumed).toMatchObject({ exit_code: 0, scenarios: [{ trials_total: 5, model: 'penny' }] });
  });

  test('refuses a changed scenario, another number of trials and another seed', async () => {
    await using project = await projectFixture({ 's.yaml': sampleScenario() });
    await runCli(['run', 's.yaml', '--seed', '5', '-n', '2'], { cwd: project.root });
    const resume = (...args: string[]) => runCli(['run', '--resume', 'latest', ...args], { cwd: project.root });
    expect(await resume('-n', '3')).toMatchObject({ code: 4, stderr: expect.stringContaining('--trials 2') });
    expect(await resume('--seed', '6')).toMatchObject({ code: 4, stderr: expect.stringContaining('--seed 5') });
    expect(await resume('-n', '2', '--seed', '5')).toMatchObject({ code: 0 });
    await project.write('s.yaml', sampleScenario({ prompt: 'Something else.' }));
    expect(await resume()).toMatchObject({ code: 4, stderr: expect.stringContaining('s.yaml has changed') });
    await project.write('other.yaml', sampleScenario());
    const files = await runCli(['run', 'other.yaml', '--resume', 'latest'], { cwd: project.root });
    expect(files).toMatchObject({ code: 4, stderr: expect.stringContaining('begun with other files (s.yaml)') });
  });

  test('refuses a run that another process is still at work on', async () => {
    await using project = await projectFixture(gated);
    const { child, result } = startCli(['run', 's.yaml', ...TRIALS], { cwd: project.root });
    await untilStored(project, 1);
    const { code, stderr } = await runCli(['run', '--resume', 'latest'], { cwd: project.root });
    expect(code).toBe(4);
    expect(stderr).toContain(`still at work in process ${child.pid}`);
    child.kill('SIGKILL');
    await result;
  });

  test('refuses a run that called no agent of its own', async () => {
    await using project = await projectFixture({ 's.yaml': sampleScenario() });
    await runCli(['run', 's.yaml'], { cwd: project.root });
    const { stdout } = await runCli(['reeval', '--json'], { cwd: project.root });
    const { code, stderr } = await runCli(['run', '--resume', JSON.parse(stdout).run_id], { cwd: project.root });
    expect(code).toBe(4);
    expect(stderr).toMatch(/judged the stored traces of run \w+ again.*`salvo reeval \w+`/);
  });

  test('takes the newest run that called agents as `latest`', async () => {
    await using project = await projectFixture({ 's.yaml': sampleScenario() });
    const { stdout } = await runCli(['run', 's.yaml', '--json'], { cwd: project.root });
    await runCli(['reeval'], { cwd: project.root });
    const resumed = await runCli(['run', '--resume', 'latest', '--json'], { cwd: project.root });
    expect(JSON.parse(resumed.stdout).run_id).toBe(JSON.parse(stdout).run_id);
  });
});

describe('a trace that was stored but not evaluated', () => {
  const agent = `
    import { appendFileSync } from 'node:fs';
    appendFileSync('calls.txt', 'called\\n');
    console.log(JSON.stringify({ content: 'Done.', cost_usd: 0.25 }));`;
  const files = {
    'salvo.yaml': 'adapters: { mine: { type: exec, command: [node, agent.mjs] } }',
    's.yaml': sampleScenario({ adapter: 'mine', script: undefined }),
    'agent.mjs': agent,
  };
  const calls = async (project: ProjectFixture) =>
    (await readFile(project.path('calls.txt'), 'utf8')).split('\n').length - 1;

  /** As if the process had ended between storing the second trace and its result. */
  async function withoutSecondResult(project: ProjectFixture): Promise<void> {
    await using store = await storeOf(project);
    const [run] = await store.listRuns({ limit: 1 });
    if (!run) throw new Error('there is no run');
    const trials = await Array.fromAsync(store.trials(run.run_id));
    for (const trial of trials) if (trial.trial_number === 2) await store.saveTrial({ ...trial, result: null });
    await store.updateRun(run.run_id, { status: 'running', verdict: null, exit_code: null, finished_at: null });
  }

  test('is evaluated on resume without calling the agent again', async () => {
    await using project = await projectFixture(files);
    const first = documentOf(await runCli(['run', 's.yaml', '--json'], { cwd: project.root }));
    await withoutSecondResult(project);
    const resumed = documentOf(await runCli(['run', '--resume', 'latest', '--json'], { cwd: project.root }));
    expect(await calls(project)).toBe(3);
    expect(resumed).toEqual(first);
  });

  test('has been paid for, and counts against the budget', async () => {
    await using project = await projectFixture(files);
    const budget = ['--budget-usd', '0.75', '--concurrency', '1'];
    await runCli(['run', 's.yaml', '-n', '4', ...budget], { cwd: project.root });
    expect(await calls(project)).toBe(3);
    await withoutSecondResult(project);
    const { code, stdout } = await runCli(['run', '--resume', 'latest', ...budget], { cwd: project.root });
    expect(code).toBe(3);
    expect(stdout).toContain('budget of $0.75');
    expect(await calls(project)).toBe(3);
  });

  test('runs again when it has no texts to evaluate', async () => {
    const yaml = `${files['salvo.yaml']}\nrecording: { mode: metadata_only }\n`;
    await using project = await projectFixture({ ...files, 'salvo.yaml': yaml });
    await runCli(['run', 's.yaml'], { cwd: project.root });
    await withoutSecondResult(project);
    const resumed = await runCli(['run', '--resume', 'latest', '--json'], { cwd: project.root });
    expect(await calls(project)).toBe(4);
    expect(documentOf(resumed)).toMatchObject({ verdict: 'PASS', scenarios: [{ trials_passed: 3 }] });
  });
});

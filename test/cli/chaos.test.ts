import { cp, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { reevaluateRun } from '../../packages/salvo/src/app/results/reevaluate.ts';
import { performChaos } from '../../packages/salvo/src/app/runs/chaos.ts';
import type { FinishedRun } from '../../packages/salvo/src/app/runs/run.ts';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import type { ChaosScenario } from '../../packages/salvo/src/run/faults/chaos-document.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { runCli } from './cli-fixture.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/faulty-tools', import.meta.url));

async function exampleProject(): Promise<ProjectFixture> {
  const project = await projectFixture();
  await cp(EXAMPLE, project.root, { recursive: true });
  // In this process: so many trials would wait for processes of their own.
  const agents = ['careful', 'honest', 'careless'].map(
    (name) => `${name}: { type: module, path: agents/${name}.ts, isolate: false }`,
  );
  await project.write('salvo.yaml', `default_adapter: careful\nadapters: { ${agents.join(', ')} }\n`);
  return project;
}

/** The faults of each trial of a run, by its scenario, case and number. */
async function faultsOf({ store, run }: Pick<FinishedRun, 'store' | 'run'>): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for await (const { scenario_index, case_index, trial_number, trace_id } of store.trials(run.run_id)) {
    const trace = await store.getTrace(trace_id ?? '');
    const marks = trace?.tool_calls_made.flatMap(({ name, fault }) => (fault ? [[name, fault]] : []));
    found[`${scenario_index} ${case_index} ${trial_number}`] = marks;
  }
  return found;
}

function countsOf({ outcomes }: Pick<ChaosScenario, 'outcomes'>) {
  const { trials, recovered, gave_up, false_success } = outcomes;
  return { trials, recovered: recovered.count, gave_up: gave_up?.count, false_success: false_success?.count };
}

test('agents that recover, give up and lie come out as such, and again after a reeval', async () => {
  await using project = await exampleProject();
  const place = { cwd: project.root, env: {} };
  const adapters = ['careful', 'honest', 'careless'];
  const options = { ...place, adapters, files: ['refund'], doses: [0.3], alone: 0, cases: 4, trials: 3, seed: 1 };
  const { finished, document } = await performChaos(options);
  await using _run = finished;
  const [careful, honest, careless] = document.scenarios;
  if (!careful || !honest || !careless) throw new Error('an agent is missing');
  // No agent fails without faults.
  for (const { doses } of document.scenarios) expect(doses[0]).toMatchObject({ dose: 0, pass_rate: 1, faults: {} });
  expect(countsOf(careful)).toMatchObject({ false_success: 0 });
  expect(careful.outcomes.recovered.count).toBeGreaterThan(careful.outcomes.trials / 2);
  const { trials, ...ofHonest } = countsOf(honest);
  expect(trials).toBeGreaterThan(3);
  expect(ofHonest).toEqual({ recovered: 0, gave_up: trials, false_success: 0 });
  expect(careless.outcomes.false_success?.count).toBeGreaterThan(0);
  expect(careless.outcomes.gave_up?.count).toBe(0);

  const again = await reevaluateRun({ ...place, target: finished.run.run_id });
  expect(again.scenarios.flatMap(({ changed_trials, task_changes }) => [...changed_trials, ...task_changes])).toEqual(
    [],
  );
});

test('a run that was stopped and resumed has the faults of one that was not', async () => {
  await using project = await exampleProject();
  const options = {
    cwd: project.root,
    env: {},
    files: ['refund'],
    doses: [0.5],
    alone: 0,
    cases: 3,
    trials: 2,
    seed: 5,
  };
  const whole = await performChaos(options);
  await using _whole = whole.finished;
  const stop = new AbortController();
  const first = await performChaos({
    ...options,
    concurrency: 1,
    stop: stop.signal,
    onEvent: ({ type }) => type === 'trial_finished' && stop.abort(),
  });
  expect(first.document.exit_code).toBe(3);
  await first.finished[Symbol.asyncDispose]();
  const resumed = await performChaos({ cwd: project.root, env: {}, resume: first.finished.run.run_id });
  await using _resumed = resumed.finished;
  const faults = await faultsOf(whole.finished);
  expect(Object.keys(faults)).toHaveLength(12);
  expect(Object.values(faults).flat().length).toBeGreaterThan(3);
  expect(await faultsOf(resumed.finished)).toEqual(faults);
  expect(resumed.document.scenarios).toEqual(whole.document.scenarios);
});

test('faults of a file take the place of those of the tools, and are kept with the run', async () => {
  await using project = await exampleProject();
  await project.write('faults.yaml', '- { kind: http_429, calls: 1, tools: [refund] }\n');
  await using outcome = await runFiles({
    ...{ cwd: project.root, env: {}, files: ['refund'], faults: 'faults.yaml', cases: 2, trials: 1 },
    adapter: 'honest',
  });
  const { run, store, notes } = outcome;
  expect(run.options.faults).toEqual({ list: [{ kind: 'http_429', calls: 1, tools: ['refund'] }] });
  expect(run.scenarios[0]?.name).toBe('refund');
  for await (const { result } of store.trials(run.run_id)) expect(result?.faults).toMatchObject({ http_429: 1 });
  expect(notes).toEqual([]);
  const { stdout } = await runCli(['replay', 'latest'], { cwd: project.root });
  expect(stdout).toContain('fault: http_429, the tool was not called');
  // What fails on purpose is no earlier result of the scenario as it is.
  const chosen = ['refund', '--adapter', 'honest'];
  const plan = await runCli(['plan', ...chosen, '--json'], { cwd: project.root });
  expect(JSON.parse(plan.stdout).scenarios[0].known).toBeNull();
  const against = ['--against', 'latest', '--cases', '2', '-n', '1', '-q'];
  const compared = await runCli(['run', ...chosen, ...against], { cwd: project.root });
  expect(compared.stdout).toContain('refund (what the tools answer differs)');
});

test('the command has a gate, a CSV file, and an estimate that knows all trials', async () => {
  await using project = await exampleProject();
  const cwd = project.root;
  const chosen = ['refund', '--adapter', 'careless', '--cases', '3', '-n', '2', '--seed', '1'];
  const run = await runCli(
    [
      'chaos',
      ...chosen,
      '--doses',
      '0.5',
      '--max-false-success',
      '0',
      '--csv',
      'doses.csv',
      '--markdown',
      'doses.md',
      '-q',
    ],
    { cwd },
  );
  expect(run).toMatchObject({ code: 1, stdout: expect.stringContaining('✖ FAIL: ') });
  const lines = (await readFile(project.path('doses.csv'), 'utf8')).trim().split('\r\n');
  // Two doses, and five faults alone.
  expect(lines).toHaveLength(1 + 2 + 5);
  expect(new Set(lines.map((line) => line.split(',').length)).size).toBe(1);
  expect(await readFile(project.path('doses.md'), 'utf8')).toContain('| Dose | Passed |');
  const shown = await runCli(['chaos', '--show', 'latest', '--json'], { cwd });
  expect(shown.code).toBe(0);
  expect(JSON.parse(shown.stdout).scenarios[0].alone).toHaveLength(5);
  const estimate = await runCli(['chaos', ...chosen, '--estimate', '--json'], { cwd });
  // Four doses and five faults alone, with three cases and two trials each.
  const trials: number[] = JSON.parse(estimate.stdout).scenarios.map((each: { trials: number }) => each.trials);
  expect(trials).toEqual(Array(4 + 5).fill(3 * 2));
});

test.each([
  [['chaos', '--doses', '0'], 'needs a dose above 0'],
  [['chaos', '--doses', '0.1,x'], 'Not a share'],
  [['chaos', '--doses', ''], 'Not a share'],
  [['chaos', '--faults', 'nothing.yaml'], 'nothing.yaml'],
  [['chaos', '--faults', 'other.yaml'], 'no scenario that is chosen has such a tool'],
  [['chaos', '--show', 'latest'], 'Nothing is stored yet'],
  [['chaos', 'plain.yaml'], 'has no tools'],
  [['run', '--faults', 'broken.yaml'], 'broken.yaml:1:11'],
])('%j is refused', async (args, expected) => {
  await using project = await projectFixture({
    'scenarios/s.yaml':
      'prompt: hi\nadapter: scripted\nscript: [{ content: a }]\ntools: [{ name: t, mock_response: 1 }]\nassertions: [{ type: recovers }]\n',
    'plain.yaml': 'prompt: hi\nadapter: scripted\nscript: [{ content: a }]\nassertions: [{ type: recovers }]\n',
    'other.yaml': '- { kind: timeout, calls: 1, tools: [u] }\n',
    'broken.yaml': '- { kind: timeouts, calls: 1 }\n',
  });
  const { code, stderr } = await runCli(args, { cwd: project.root });
  expect(stderr).toContain(expected);
  expect(code).toBe(4);
});

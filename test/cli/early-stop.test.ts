import { expect, test } from 'vitest';
import { projectFixture } from '../project-fixture.ts';
import { documentOf, runCli, storeOf } from './cli-fixture.ts';
import { done, sampleScenario } from './sample-scenario.ts';

const saysDone = { type: 'output_contains', value: 'Done' };

test.each([
  ['after a required assertion failed', { script: [done('No.')], assertions: [{ ...saysDone, required: true }] }, 1, 2],
  ['when a trial failed and all must pass', { script: [done('No.')] }, 1, 1],
  ['when the pass rate is out of reach', { script: [done('No.')], min_pass_rate: '80%' }, 3, 1],
  ['when the pass rate cannot be missed any more', { min_pass_rate: '50%' }, 5, 0],
  ['when the mean score is out of reach', { script: [done('No.')], min_pass_rate: 0, min_score: 0.5 }, 6, 1],
  ['when a trial could not be scored', { script: [{ error: { status: 401 } }] }, 1, 3],
  ['not while a required assertion may still fail', { assertions: [{ ...saysDone, required: true }] }, 10, 0],
])('--early-stop stops %s', async (_, changes, trials, code) => {
  await using project = await projectFixture({ 's.yaml': sampleScenario(changes) });
  const args = ['run', 's.yaml', '--early-stop', '-n', '10', '--concurrency', '1', '--json'];
  const run = await runCli(args, { cwd: project.root });
  expect(run.code).toBe(code);
  expect(documentOf(run)).toMatchObject({
    exit_code: code,
    scenarios: [{ trials_total: trials, stopped: trials === 10 ? null : 'early_stop' }],
  });
});

test('an early stop gives the exit code that all trials would have given', async () => {
  const script = {
    variants: [
      { weight: 7, turns: [done()] },
      { weight: 3, turns: [done('No.')] },
    ],
  };
  await using project = await projectFixture({ 's.yaml': sampleScenario({ script, min_pass_rate: 0.7 }) });
  for (const seed of ['1', '2', '3']) {
    const args = ['run', 's.yaml', '-n', '20', '--seed', seed, '--concurrency', '4'];
    const whole = await runCli(args, { cwd: project.root });
    const early = await runCli([...args, '--early-stop'], { cwd: project.root });
    expect([seed, early.code]).toEqual([seed, whole.code]);
  }
});

test('stops one scenario without the others', async () => {
  await using project = await projectFixture({
    'a.yaml': sampleScenario({ name: 'a', assertions: [{ ...saysDone, required: true }], script: [done('No.')] }),
    'b.yaml': sampleScenario({ name: 'b', assertions: [{ ...saysDone, required: true }] }),
  });
  const args = ['run', '.', '--early-stop', '-n', '5', '--concurrency', '1', '--json'];
  const { scenarios } = documentOf(await runCli(args, { cwd: project.root }));
  expect(scenarios.map(({ trials_total, stopped }) => [trials_total, stopped])).toEqual([
    [1, 'early_stop'],
    [5, null],
  ]);
});

test('a run that stopped early is evaluated again with the trials it has, and says when they no longer suffice', async () => {
  const strict = { script: [done('No.')], assertions: [{ ...saysDone, required: true }] };
  await using project = await projectFixture({ 's.yaml': sampleScenario(strict) });
  const args = ['run', 's.yaml', '--early-stop', '-n', '10', '--concurrency', '1'];
  await runCli(args, { cwd: project.root });
  const same = await runCli(['reeval', '--json'], { cwd: project.root });
  expect(JSON.parse(same.stdout)).toMatchObject({
    verdict: 'HARD_FAIL',
    scenarios: [{ before: { verdict: 'HARD_FAIL' }, after: { verdict: 'HARD_FAIL' } }],
  });
  await project.write('s.yaml', sampleScenario({ script: [done('No.')], assertions: [{ ...saysDone, value: 'No' }] }));
  const relaxed = await runCli(['reeval', '--json'], { cwd: project.root });
  expect(JSON.parse(relaxed.stdout)).toMatchObject({
    verdict: 'UNSCORED',
    scenarios: [{ before: { verdict: 'HARD_FAIL' }, after: { verdict: 'UNSCORED', trials_passed: 1 } }],
  });
});

test('a scenario that had ended before its run was killed is still ended after --resume', async () => {
  await using project = await projectFixture({ 's.yaml': sampleScenario({ script: [done('No.')] }) });
  const { root: cwd } = project;
  const ended = await runCli(['run', 's.yaml', '--early-stop', '-n', '10', '--concurrency', '1', '--json'], { cwd });
  const { run_id } = documentOf(ended);
  {
    await using store = await storeOf(project);
    await using _lease = await store.claim({ kind: 'run', id: run_id });
    await store.updateRun(run_id, { status: 'running', finished_at: null, verdict: null, exit_code: null });
  }
  const resumed = documentOf(await runCli(['run', '--resume', run_id, '--json'], { cwd }));
  expect(resumed.scenarios).toMatchObject([{ trials_total: 1, trials_planned: 10, stopped: 'early_stop' }]);
});

import { expect, test } from 'vitest';
import { listAdapters } from '../../packages/salvo/src/app/project/list-adapters.ts';
import { validateFiles } from '../../packages/salvo/src/app/project/validate.ts';
import { listRuns, openRun } from '../../packages/salvo/src/app/results/open-run.ts';
import { reevaluateRun } from '../../packages/salvo/src/app/results/reevaluate.ts';
import { replayTrial } from '../../packages/salvo/src/app/results/replay-trial.ts';
import { reportRun } from '../../packages/salvo/src/app/results/report-run.ts';
import { estimateReevaluation, estimateRun } from '../../packages/salvo/src/app/runs/estimate.ts';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import type { RunFilesEvent } from '../../packages/salvo/src/app/selection/run-files-event.ts';
import { sampleScenario, variedScript } from '../cli/sample-scenario.ts';
import { projectFixture } from '../project-fixture.ts';

const files = { 'salvo.yaml': '', 'scenarios/s.yaml': sampleScenario({ script: variedScript() }) };

test('a run emits its events, returns what it stored, and can be reported, replayed and exported', async () => {
  await using project = await projectFixture(files);
  const place = { cwd: project.root, env: {} };
  const events: RunFilesEvent[] = [];
  {
    await using finished = await runFiles({ ...place, trials: 4, seed: 1, onEvent: (event) => events.push(event) });
    expect(finished.run).toMatchObject({ status: 'finished', verdict: finished.outcome.verdict });
    expect(finished.run.scenarios[0]?.summary?.trials_total).toBe(4);
  }
  expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['run_prepared', 'run_started']);
  expect(events.filter(({ type }) => type === 'trial_finished')).toHaveLength(4);

  const [listed] = await listRuns(place);
  await using opened = await openRun({ ...place, run: 'latest' });
  expect((await reportRun(opened)).report).toMatchObject({ run_id: listed?.run_id, verdict: listed?.verdict });
  const trials = await Array.fromAsync(opened.trials());
  expect(trials.map(({ trial_number, result }) => [trial_number, result?.trial_number])).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
  ]);
  const { trace, trial } = await replayTrial({ ...place, target: trials[0]?.result?.trace_id ?? '' });
  expect(trace).toEqual(trials[0]?.trace);
  expect(trial?.result).toEqual(trials[0]?.result);
});

test('stored traces are judged again, also after an estimate', async () => {
  await using project = await projectFixture(files);
  const place = { cwd: project.root, env: {} };
  expect(await estimateRun({ ...place, trials: 5 })).toMatchObject({ agent_runs: 5, judge_calls: { most: 0 } });
  expect(await listRuns(place)).toEqual([]);
  await (await runFiles({ ...place, trials: 2, seed: 1 }))[Symbol.asyncDispose]();
  expect(await estimateReevaluation({ ...place, target: 'latest' })).toMatchObject({ agent_runs: 0 });
  const { run, scenarios } = await reevaluateRun({ ...place, target: 'latest' });
  expect(scenarios).toMatchObject([{ changed_trials: [], after: { trials_total: 2 } }]);
  expect((await listRuns(place))[0]).toMatchObject({ run_id: run.run_id, reeval_of: run.reeval_of });
});

test('wrong files are described, and refused before anything is stored', async () => {
  await using project = await projectFixture({ ...files, 'scenarios/wrong.yaml': 'promt: hi' });
  const place = { cwd: project.root, env: {} };
  const { files: checked, diagnostics } = await validateFiles(place);
  expect(checked).toBe(3);
  expect(diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toContain('unknown-key');
  await expect(runFiles(place)).rejects.toMatchObject({ code: 'FILE_INVALID' });
  expect(await listRuns(place)).toEqual([]);
});

test('adapters are listed with what they lack', async () => {
  await using project = await projectFixture(files);
  const { adapters } = await listAdapters({ cwd: project.root, env: {} });
  expect(adapters.find(({ name }) => name === 'scripted')).toMatchObject({ status: 'ready' });
  expect(adapters.find(({ name }) => name === 'openai')).toMatchObject({ status: 'missing_key' });
});

import { expect, test } from 'vitest';
import { sampleScenario, variedScript } from '../../../../../test/cli/sample-scenario.ts';
import { type RunFixture, runFixture } from '../../../../../test/run-fixture.ts';
import { traceWithoutText } from '../../../../../test/store/trace-without-text.ts';
import { loadScenario } from '../../scenario/load-scenario.ts';
import { runScenarios } from '../conduct/run-scenarios.ts';
import type { RunRecord } from '../record/run-record.ts';
import { reevaluate } from './reevaluate.ts';
import type { ReevaluateOptions } from './reevaluation.ts';

const script = variedScript();

async function recorded(fixture: RunFixture, options: Partial<RunRecord['options']> = {}): Promise<RunRecord> {
  const run = fixture.run({ trials: 10, ...options });
  await runScenarios(await fixture.request(run));
  return (await fixture.store.getRun(run.run_id)) ?? run;
}

/** Judges the run again by the scenario with these changes. */
async function judgeAgain(
  fixture: RunFixture,
  source: RunRecord,
  { changes = {}, ...options }: Partial<ReevaluateOptions> & { changes?: Record<string, unknown> } = {},
) {
  const file = await fixture.files.write('now.yaml', sampleScenario({ script, ...changes }));
  const project = await fixture.files.project();
  const loaded = await loadScenario({ file, project });
  return reevaluate({
    source,
    scenarioOf: () => loaded,
    recorder: fixture.store,
    project,
    ...options,
  });
}

const runIds = async ({ store }: RunFixture) => (await store.listRuns()).map(({ run_id }) => run_id);

test('the same assertions give the same results, as a run of its own that points to the first', async () => {
  await using fixture = await runFixture({ 's.yaml': sampleScenario({ script }) });
  const source = await recorded(fixture);
  const { run, verdict, scenarios } = await judgeAgain(fixture, source);
  expect(verdict).toBe(source.verdict);
  expect(scenarios).toMatchObject([{ task_changes: [], changed_trials: [] }]);
  expect(scenarios[0]?.after).toEqual({ ...scenarios[0]?.before, file: 'now.yaml' });
  expect(await fixture.store.getRun(run.run_id)).toMatchObject({
    reeval_of: source.run_id,
    status: 'finished',
    verdict,
  });
});

test('new assertions say which trials changed, and no agent is called', async () => {
  await using fixture = await runFixture({ 's.yaml': sampleScenario({ script }) });
  const source = await recorded(fixture);
  const failed = source.scenarios[0]?.summary?.assertion_failures[0]?.trial_numbers;
  const assertions = [{ type: 'output_matches', pattern: 'Done|No' }];
  const { verdict, scenarios } = await judgeAgain(fixture, source, { changes: { assertions } });
  expect(verdict).toBe('PASS');
  expect(scenarios[0]?.changed_trials.map(({ trial_number }) => trial_number)).toEqual(failed);
  expect(scenarios[0]?.changed_trials[0]).toMatchObject({
    ...{ before: 'failed', after: 'passed', score_before: 0, score_after: 1 },
  });
  expect(scenarios[0]?.task_changes).toEqual([]);
});

test('a task that is another one by now is named', async () => {
  await using fixture = await runFixture({ 's.yaml': sampleScenario({ script }) });
  const source = await recorded(fixture);
  const changes = { prompt: 'Something else.', max_turns: 3, description: 'Only for people.' };
  const { scenarios } = await judgeAgain(fixture, source, { changes });
  expect(scenarios[0]?.task_changes).toEqual(['max_turns', 'prompt']);
});

test('traces that were only recorded are judged for the first time', async () => {
  await using fixture = await runFixture({ 's.yaml': sampleScenario({ script }) });
  const source = await recorded(fixture, { record_only: true });
  const { scenarios } = await judgeAgain(fixture, source);
  expect(scenarios[0]).toMatchObject({
    before: { verdict: 'RECORDED', trials_scored: 0 },
    after: { verdict: 'PARTIAL', trials_scored: 10 },
  });
});

test('one trial can be judged alone', async () => {
  await using fixture = await runFixture({ 's.yaml': sampleScenario({ script }) });
  const source = await recorded(fixture);
  const only = { scenario_index: 0, trial_number: 7 };
  const { run, scenarios } = await judgeAgain(fixture, source, { only });
  const trials = await Array.fromAsync(fixture.store.trials(run.run_id));
  expect(trials.map(({ trial_number }) => trial_number)).toEqual([7]);
  expect(scenarios[0]?.after).toMatchObject({ trials_planned: 1, trials_total: 1, stopped: null });
});

test('traces without texts, or none at all, are refused before a run is stored', async () => {
  await using fixture = await runFixture({ 's.yaml': sampleScenario({ script }) });
  const source = await recorded(fixture);
  const withoutText = {
    ...fixture.store,
    getTrace: async (id: string) => {
      const trace = await fixture.store.getTrace(id);
      return trace && traceWithoutText(trace);
    },
  };
  await expect(judgeAgain(fixture, source, { recorder: withoutText })).rejects.toMatchObject({
    code: 'TRACE_TEXT_MISSING',
    message: expect.stringContaining('metadata_only'),
  });
  const empty = fixture.run();
  await fixture.store.createRun(empty);
  await expect(judgeAgain(fixture, empty)).rejects.toMatchObject({ code: 'TRACES_MISSING' });
  expect((await runIds(fixture)).sort()).toEqual([source.run_id, empty.run_id].sort());
});

test('a stop judges no further trial, and the run counts as interrupted and not scored', async () => {
  await using fixture = await runFixture({ 's.yaml': sampleScenario({ script }) });
  const source = await recorded(fixture);
  const { run, verdict, scenarios } = await judgeAgain(fixture, source, { stop: AbortSignal.abort() });
  expect(verdict).toBe('UNSCORED');
  expect(scenarios[0]).toMatchObject({ after: { trials_total: 0, stopped: 'interrupted' } });
  expect(scenarios[0]?.before.trials_total).toBe(source.options.trials);
  expect(await fixture.store.getRun(run.run_id)).toMatchObject({ status: 'interrupted' });
});

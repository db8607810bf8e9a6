import { beforeAll, describe, expect, test } from 'vitest';
import { openRun } from '../../packages/salvo/src/app/results/open-run.ts';
import { reevaluateRun } from '../../packages/salvo/src/app/results/reevaluate.ts';
import { replayTrial } from '../../packages/salvo/src/app/results/replay-trial.ts';
import { reportRun } from '../../packages/salvo/src/app/results/report-run.ts';
import { estimateRun } from '../../packages/salvo/src/app/runs/estimate.ts';
import { performRun } from '../../packages/salvo/src/app/runs/run.ts';
import type { PerformRunOptions, RunFilesOptions } from '../../packages/salvo/src/app/runs/run-options.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';

const usage = 'usage: { input_tokens: 1000, output_tokens: 0 }';
const FILES = {
  'salvo.yaml':
    'default_adapter: scripted\ndefault_model: good\nprices: { good: { input_per_million: 2, output_per_million: 0 }, bad: { input_per_million: 1, output_per_million: 0 } }\n',
  'scenarios/plain.yaml': `
name: plain
prompt: hi
assertions: [{ type: output_contains, value: yes! }]
script:
  models:
    good: { variants: [{ turns: [{ content: yes!, ${usage} }] }, { turns: [{ content: "yes! yes!", ${usage} }] }] }
    bad: { variants: [{ turns: [{ content: yes!, ${usage} }] }, { weight: 5, turns: [{ content: no, ${usage} }] }] }
`,
  'scenarios/table.yaml': `
name: table
prompt: "{{q}}"
data: [{ name: a, q: one, bad: yes! }, { name: a/2, q: two, bad: no }, { name: c, q: three, bad: yes! }]
assertions: [{ type: output_contains, value: yes! }]
script: { models: { good: [{ content: yes! }], bad: [{ content: "{{bad}}" }] } }
`,
  'scenarios/later.yaml': 'name: later\nprompt: hi\nskip: not yet\nscript: [{ content: x }]\n',
};

let project: ProjectFixture;
const run = async (options: PerformRunOptions = {}) => {
  await using finished = await performRun({ cwd: project.root, env: {}, ...options });
  return finished.run;
};
const entries = (of: Awaited<ReturnType<typeof run>>) => of.scenarios.map(({ name, model }) => `${name}@${model}`);

describe('a run with several models', () => {
  let runId: string;
  const place = () => ({ cwd: project.root, env: {} });

  beforeAll(async () => {
    project = await projectFixture(FILES);
    const finished = await run({ models: ['good', 'bad'], trials: 10, seed: 1 });
    runId = finished.run_id;
    expect(entries(finished)).toEqual(['plain@good', 'plain@bad', 'table@good', 'table@bad', 'later@good']);
    // Each entry has its verdict, and the run has the worst.
    expect(finished.scenarios.map(({ summary }) => summary?.verdict)).toEqual([
      ...['PASS', 'PARTIAL', 'PASS', 'PARTIAL', 'SKIPPED'],
    ]);
    expect(finished).toMatchObject({ verdict: 'PARTIAL', exit_code: 1 });
  });

  test('is compared with the first, with figures of each model and none of all together', async () => {
    await using opened = await openRun({ ...place(), run: runId });
    const reported = await reportRun(opened);
    const { overall, matrix } = reported.report;
    expect(overall).toBeNull();
    expect(matrix).toMatchObject({
      base: 'good',
      models: [
        { label: 'good', verdict: 'PASS', trials_passed: 40, trials_scored: 40, compared: null },
        { label: 'bad', verdict: 'PARTIAL', trials_scored: 40, overall: { scenarios_scored: 2 } },
      ],
    });
    expect(matrix?.comparisons.map(({ name, model, conclusion }) => [name, model, conclusion])).toEqual([
      ['plain', 'bad', 'worse'],
      // Three cases with one answer each.
      ['table', 'bad', 'too_few_trials'],
    ]);
    expect(reported.stream).toMatchObject({ run: { overall: null }, matrix: { base: 'good' } });
  });

  test('is estimated for each model, by the trials of that model', async () => {
    const { scenarios } = await estimateRun({
      ...place(),
      files: ['plain'],
      models: ['bad', 'good'],
      trials: 100,
    });
    expect(scenarios.map(({ agent }) => [agent?.model, agent?.cost_usd])).toEqual([
      ['bad', expect.closeTo(0.1)],
      ['good', expect.closeTo(0.2)],
    ]);
  });

  test('is replayed and judged again by NAME@MODEL', async () => {
    expect(await replayTrial({ ...place(), target: 'plain@bad', trial: 3 })).toMatchObject({
      trace: { model: 'bad' },
      trial: { scenario: 'plain', handle: 'plain@bad', trialNumber: 3 },
    });
    for (const target of ['plain@good/2', `${runId}/scenarios/plain.yaml@good/2`, 'plain@scripted=good/2']) {
      expect((await replayTrial({ ...place(), target })).trial).toMatchObject({ handle: 'plain@good', trialNumber: 2 });
    }
    await expect(replayTrial({ ...place(), target: 'plain' })).rejects.toMatchObject({
      code: 'SCENARIO_AMBIGUOUS',
      message: `Run ${runId} ran "plain" with several models. Name the model:\n  ${runId}/plain@good\n  ${runId}/plain@bad`,
    });
    const { scenarios } = await reevaluateRun({ ...place(), target: `${runId}/table@bad` });
    expect(scenarios).toMatchObject([{ name: 'table', after: { model: 'bad', trials_total: 30 } }]);
    expect((await reevaluateRun({ ...place(), target: runId })).scenarios).toHaveLength(4);
  });

  test('shows the case whose name ends with a number, and says how to see the trial of the other', async () => {
    const shown = await replayTrial({ ...place(), target: `${runId}/table@bad/a/2` });
    expect(shown).toMatchObject({ trial: { caseName: 'a/2', trialNumber: 1 } });
    expect(shown.note).toBe(
      `This is the case "a/2". Trial 2 of the case "a" is \`salvo replay ${runId}/table@bad/a 2\`.`,
    );
    expect((await replayTrial({ ...place(), target: `${runId}/table@bad/a`, trial: 2 })).trial).toMatchObject({
      caseName: 'a',
      trialNumber: 2,
    });
  });

  test('runs again what failed, with the models that it failed with', async () => {
    await run({ models: ['good', 'bad'], trials: 1, seed: 1, files: ['table'] });
    const again = await run({ failed: true, trials: 2 });
    expect(entries(again)).toEqual(['table@bad']);
    expect(again.options.cases).toEqual([[1]]);
    // Another model is tried on what failed with any.
    const other = await run({ failed: true, model: 'good', trials: 1 });
    expect(entries(other)).toEqual(['table@good']);
    expect(other.options.cases).toEqual([[1]]);
  });

  test('goes on with its models when it is resumed, and takes no others', async () => {
    const stop = new AbortController();
    const onEvent: RunFilesOptions['onEvent'] = ({ type }) => type === 'trial_ended' && stop.abort();
    const options = { models: ['good', 'bad'], trials: 5, seed: 1, concurrency: 1, stop: stop.signal, onEvent };
    const stopped = await run(options);
    expect(stopped.status).toBe('interrupted');
    await expect(run({ resume: stopped.run_id, models: ['good'] })).rejects.toMatchObject({ code: 'OPTIONS_INVALID' });
    await expect(run({ resume: stopped.run_id, failed: true })).rejects.toMatchObject({
      code: 'OPTIONS_INVALID',
      message: '`resume` completes a run and `failed` starts a new one: give only one of them.',
    });
    await expect(run({ resume: stopped.run_id, model: 'good' })).rejects.toMatchObject({ code: 'RESUME_DIFFERS' });
    const resumed = await run({ resume: stopped.run_id });
    expect(entries(resumed)).toEqual(entries(stopped));
    expect(resumed.scenarios.map(({ summary }) => summary?.trials_total)).toEqual([5, 5, 15, 15, 0]);
  });
});

describe('what a run compares', () => {
  const AGENT = 'export default () => "yes!";\n';
  const SCENARIO = `
prompt: hi
script: { variants: [{ turns: [{ content: yes! }] }, { turns: [{ content: "yes! yes!" }] }] }
assertions: [{ type: output_contains, value: yes! }]
`;

  test('is the matrix of salvo.yaml, unless models or adapters are named', async () => {
    project = await projectFixture({
      'salvo.yaml': 'default_adapter: scripted\nmatrix: [x, scripted=y, { adapter: ./agent.ts }]\n',
      'agent.ts': AGENT,
      'scenarios/s.yaml': SCENARIO,
    });
    const named = async (options: RunFilesOptions) =>
      (await run({ trials: 1, ...options })).scenarios.map(({ adapter, model }) => `${adapter} ${model}`);
    expect(await named({})).toEqual(['scripted x', 'scripted y', './agent.ts ./agent.ts']);
    expect(await named({ model: 'z' })).toEqual(['scripted z']);
    expect(await named({ adapters: ['scripted', './agent.ts'], model: 'z' })).toEqual(['scripted z', './agent.ts z']);
    // The same trial of every model has the same seed.
    await run({ models: ['x', 'y'], trials: 10, seed: 3 });
    await using opened = await openRun({ cwd: project.root, env: {}, run: 'latest' });
    const trials = await Array.fromAsync(opened.trials());
    const [x = [], y] = ['x', 'y'].map((model) =>
      trials.filter((each) => each.model === model).map(({ trace }) => trace?.final_content),
    );
    expect(y).toEqual(x);
    expect(new Set(x).size).toBe(2);
    await expect(run({ models: ['x', 'scripted=x'] })).rejects.toThrow(
      'scenarios/s.yaml would run twice with the adapter scripted and the model x',
    );
  });

  test('are adapters relative to the folder in which they are named', async () => {
    project = await projectFixture({
      'salvo.yaml': 'default_adapter: scripted\n',
      'agents/one.ts': AGENT,
      'agents/two.ts': AGENT,
      'scenarios/s.yaml': SCENARIO,
    });
    const cwd = project.path('agents');
    const several = await run({ cwd, adapters: ['./one.ts', 'two.ts'], trials: 1 });
    expect(several.scenarios.map(({ adapter }) => adapter)).toEqual(['./agents/one.ts', './agents/two.ts']);
    expect(several.verdict).toBe('PASS');
    expect((await run({ cwd, adapter: './one.ts', trials: 1 })).scenarios[0]?.adapter).toBe('./agents/one.ts');
    await expect(run({ adapter: './one.ts' })).rejects.toMatchObject({ code: 'ADAPTER_NOT_READY' });
  });
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { calibrateProjectJudge } from '../../packages/salvo/src/app/judges/calibrate-project-judge.ts';
import { openProject } from '../../packages/salvo/src/app/project/open-project.ts';
import { reevaluateRun } from '../../packages/salvo/src/app/results/reevaluate.ts';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { judgesOf } from '../../packages/salvo/src/store/judge-tables.ts';
import { done, sampleScenario } from '../cli/sample-scenario.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { sampleLabel } from '../sample-label.ts';

let project: ProjectFixture;
const place = () => ({ cwd: project.root, env: {} });

const judge = (score: number) => ({
  type: 'scripted',
  script: [
    {
      tool_calls: [{ name: 'score_criteria', arguments: { polite: { reasoning: 'Because.', score } } }],
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  ],
});
const settings = (score: number, threshold = 0.8) =>
  JSON.stringify({
    adapters: { house: judge(score) },
    judge: { adapter: 'house', model: 'house', k: 1, default_threshold: threshold },
  });
const greeting = (name: string, description: string) =>
  sampleScenario({
    name,
    assertions: [{ type: 'judge', id: 'tone', criteria: [{ name: 'polite', description }] }],
    // Different answers: copies of one answer would count as one.
    script: { variants: Array.from({ length: 40 }, (_, index) => ({ turns: [done(`Hello ${index}!`)] })) },
  });

/** Four trials of each of two scenarios with judges of their own. */
beforeAll(async () => {
  project = await projectFixture({
    'salvo.yaml': settings(1),
    'scenarios/greeting.yaml': greeting('greeting', 'It greets.'),
    'scenarios/parting.yaml': greeting('parting', 'It says goodbye.'),
  });
  await using _run = await runFiles({ ...place(), trials: 4, seed: 2 });
});
afterAll(() => project[Symbol.asyncDispose]());

/** Ada passes the first so many trials of a scenario, and fails the others. */
async function label(name: string, passed: number): Promise<void> {
  await using opened = await openProject(place());
  const [run] = await opened.store.listRuns();
  const index = run?.scenarios.findIndex((scenario) => scenario.name === name) ?? -1;
  for await (const trial of opened.store.trials(run?.run_id ?? '', { scenarioIndex: index })) {
    const { trial_number, run_id, trace_id } = trial;
    await judgesOf(opened.store).saveLabel(
      sampleLabel({
        ...{ label_id: `${name} ${trial_number}`, run_id, scenario_index: index, scenario: name, trial_number },
        ...{ file: `scenarios/${name}.yaml`, trace_id: trace_id ?? '' },
        ...{ assertion_id: 'tone', passed: trial_number <= passed },
      }),
    );
  }
}

it('needs labels', async () => {
  await expect(calibrateProjectJudge(place())).rejects.toMatchObject({ code: 'LABELS_MISSING' });
  await expect(calibrateProjectJudge({ ...place(), model: 'gpt-5' })).rejects.toThrow('leave out `model`');
});

it('compares stored verdicts with labels, stores the result, and says how to look at a difference', async () => {
  await label('greeting', 3);
  const { report, record, disagreements, judgeCost } = await calibrateProjectJudge(place());
  expect(report.overall).toMatchObject({ n: 4, human_passed: 3, agreement: 0.75 });
  expect(judgeCost.usd).toBe(0);
  expect(disagreements.map(({ shown_by }) => shown_by)).toEqual([
    expect.stringMatching(/^salvo replay \w+\/greeting 4$/),
  ]);
  await using opened = await openProject(place());
  expect(await judgesOf(opened.store).getCalibration(record?.judge_hash ?? '')).toEqual(record);
});

it('must know which judge, if the labels are for several', async () => {
  await label('parting', 0);
  await expect(calibrateProjectJudge(place())).rejects.toThrow(/--scenario scenarios\/greeting.yaml --assertion tone/);
  const { report } = await calibrateProjectJudge({ ...place(), scenario: 'scenarios/parting.yaml' });
  expect(report.scenarios).toMatchObject([{ scenario: 'parting', n: 4, human_passed: 0 }]);
});

it('uses the same labels for a judge that judged the same conversations later', async () => {
  await writeFile(join(project.root, 'salvo.yaml'), settings(0));
  await reevaluateRun({ ...place(), target: 'latest' });
  const { report, record } = await calibrateProjectJudge({ ...place(), scenario: 'scenarios/parting.yaml' });
  expect(report.overall).toMatchObject({ n: 4, agreement: 1 });
  expect(record).not.toBeNull();
});

it('is not stored when the judge was changed and has not judged them', async () => {
  await writeFile(join(project.root, 'salvo.yaml'), settings(0, 0.5));
  const { record, notKept } = await calibrateProjectJudge({ ...place(), scenario: 'scenarios/parting.yaml' });
  expect([record, notKept]).toEqual([null, expect.stringContaining('settings of the judge have changed')]);
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProject } from '../../packages/salvo/src/app/project/open-project.ts';
import { openRun } from '../../packages/salvo/src/app/results/open-run.ts';
import { reevaluateRun } from '../../packages/salvo/src/app/results/reevaluate.ts';
import { reportRun } from '../../packages/salvo/src/app/results/report-run.ts';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { judgeView } from '../../packages/salvo/src/app/view/judges/judge-view.ts';
import { giveLabel } from '../../packages/salvo/src/app/view/labels/give-label.ts';
import { labelQueue } from '../../packages/salvo/src/app/view/labels/label-queue.ts';
import { runView } from '../../packages/salvo/src/app/view/runs/run-view.ts';
import { judgeRemarks } from '../../packages/salvo/src/report/judge/judge-summaries.ts';
import { done, sampleScenario } from '../cli/sample-scenario.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';

let project: ProjectFixture;
let runId: string;
const place = () => ({ cwd: project.root, env: {} });

const vote = (score: number) => [
  {
    tool_calls: [{ name: 'score_criteria', arguments: { polite: { reasoning: 'Because.', score } } }],
    usage: { input_tokens: 1, output_tokens: 1 },
  },
];

/** 40 trials, of which the judge, a script, passes about two of three. */
beforeAll(async () => {
  const script = { variants: [{ turns: vote(1) }, { turns: vote(1) }, { turns: vote(0) }] };
  project = await projectFixture({
    'salvo.yaml': JSON.stringify({
      adapters: { dice: { type: 'scripted', script } },
      judge: { adapter: 'dice', model: 'dice', k: 3 },
    }),
    'scenarios/greeting.yaml': sampleScenario({
      name: 'greeting',
      assertions: [{ type: 'judge', id: 'tone', criteria: [{ name: 'polite', description: 'It greets.' }] }],
      script: [done('Hello!')],
    }),
  });
  await using finished = await runFiles({ ...place(), trials: 40, seed: 3 });
  runId = finished.run.run_id;
});
afterAll(() => project[Symbol.asyncDispose]());

/** Ada labels so many trials in the order of the page, and differs from the judge on every seventh. */
async function label(count: number): Promise<void> {
  await using opened = await openProject(place());
  const { items } = await labelQueue(opened.store, { run: runId, scenario: 0, assertionId: 'tone' });
  for (const [index, { case_index, trial_number, drawn, judge }] of items.slice(0, count).entries()) {
    await giveLabel(opened, {
      ...{ run_id: runId, scenario_index: 0, case_index, trial_number, assertion_id: 'tone', criterion: null },
      ...{ verdict: (judge?.passed ?? false) !== (index % 7 === 6), note: '', labelled_by: 'Ada', drawn },
    });
  }
}

async function reported(run = runId) {
  await using opened = await openRun({ ...place(), run });
  const { report, stream } = await reportRun(opened);
  const [judge] = report.scenarios[0]?.judges ?? [];
  return {
    judge,
    streamed: stream.scenarios[0]?.summary.judges[0],
    remarks: judgeRemarks(report.scenarios[0] ?? { judges: [] }),
  };
}

it('leaves a run without labels as it is stored', async () => {
  const { judge, remarks } = await reported();
  expect(judge).toMatchObject({ corrected_pass_rate: null, calibration_note: null });
  expect(remarks).toEqual([]);
});

it('says why few labels give no rate', async () => {
  await label(12);
  const { judge, remarks } = await reported();
  const labels_note = "the labels of the run's own trials are not used alone: they are 12, and at least 20 are needed";
  expect(judge).toMatchObject({ corrected_pass_rate: null, calibration_note: null, labels_note });
  expect(remarks.flat()).toContain(labels_note);
});

it('corrects the rate by labels that were given after the run, alike in every form', async () => {
  await label(28);
  const { judge, streamed, remarks } = await reported();
  expect(judge?.corrected_by).toEqual({ method: 'prediction_powered', labels: 28 });
  expect(judge?.corrected_pass_rate).toBeGreaterThan(judge?.corrected_ci?.[0] ?? 1);
  expect(judge?.corrected_pass_rate).toBeLessThan(judge?.corrected_ci?.[1] ?? 0);
  expect(streamed).toEqual(judge);
  expect(remarks.flat().join('; ')).toMatch(
    /people would pass \d+% \(\d+–\d+%\); prediction-powered, by labels of 28 of the run's own 40 trials$/,
  );
  await using opened = await openProject(place());
  const view = await runView(opened.store, runId);
  expect(view.scenarios[0]?.summary?.judges[0]).toEqual(judge);
  expect(view.judge_notes).toEqual([`greeting: ${remarks.flat().join('; ')}.`]);
  const { uses } = await judgeView(opened.store, judge?.judge_hash ?? '');
  expect(uses[0]?.corrected).toEqual({
    rate: judge?.corrected_pass_rate,
    interval: judge?.corrected_ci,
    note: judge?.calibration_note,
    labels: 28,
  });
  const stored = await opened.store.getRun(runId);
  expect(stored?.scenarios[0]?.summary?.judges[0]?.corrected_by).toBeUndefined();
});

it('uses the labels of conversations that were judged again', async () => {
  const { run } = await reevaluateRun({ ...place(), target: runId });
  const { judge } = await reported(run.run_id);
  expect(judge?.corrected_by).toEqual({ method: 'prediction_powered', labels: 28 });
});

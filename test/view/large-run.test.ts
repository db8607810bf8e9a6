import { expect, it } from 'vitest';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { sampleScenario } from '../cli/sample-scenario.ts';
import { projectFixture } from '../project-fixture.ts';
import { sampleTrial } from '../sample-trial.ts';
import { openPage } from './browser.ts';
import { viewerFixture } from './viewer-fixture.ts';

const [CASES, TRIALS] = [1000, 10];
const nameOf = (index: number) => `case ${index + 1}`;

it('a run of 10,000 trials is shown to its last row, and only what is on the screen is in the page', async () => {
  const data = Array.from({ length: CASES }, (_, index) => ({ name: nameOf(index), word: 'Please.' }));
  await using project = await projectFixture({
    'salvo.yaml': '',
    'scenarios/large.yaml': sampleScenario({ name: 'large', prompt: '{{word}}', data }),
  });
  // One case is run; its record is that of the large run.
  await using small = await runFiles({ cwd: project.root, env: {}, grep: nameOf(999), trials: 1 });
  const { store, run } = small;
  const run_id = 'large-run';
  await store.createRun({ ...run, run_id, options: { ...run.options, cases: null, trials: TRIALS } });
  const places = Array.from({ length: CASES * TRIALS }, (_, index) => index);
  await Promise.all(
    places.map((index) => {
      const place = { case_index: Math.floor(index / TRIALS), trial_number: (index % TRIALS) + 1 };
      const key = { ...place, case: nameOf(place.case_index) };
      const result = sampleTrial({ ...key, status: index === 9999 ? 'failed' : 'passed' });
      return store.saveTrial({ run_id, scenario_index: 0, ...key, trace_id: null, result, earlier_cost: null });
    }),
  );
  await using viewer = await viewerFixture(project.root);
  await using opened = await openPage(`${viewer.url}#/runs/${run_id}`);
  const { page } = opened;
  await page.getByText(nameOf(0), { exact: true }).first().waitFor();
  await page.getByText('10000').or(page.getByText('10,000')).first().waitFor();
  await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
  await page.getByText(nameOf(999), { exact: true }).first().waitFor();
  expect(await page.evaluate<number>('document.querySelectorAll("*").length')).toBeLessThan(5000);
});

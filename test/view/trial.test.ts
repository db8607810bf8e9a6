import { expect, it } from 'vitest';
import { runFiles } from '../../src/app/run.ts';
import { done, sampleScenario } from '../cli/sample-scenario.ts';
import { projectFixture } from '../project-fixture.ts';
import { openPage } from './browser.ts';
import { viewerFixture } from './viewer-fixture.ts';

it('shows the conversation of a trial and how it was judged, and steps through the failures', async () => {
  await using project = await projectFixture({
    'salvo.yaml': '',
    'scenarios/refusal.yaml': sampleScenario({ name: 'refusal', script: [done('No, <b>never</b>.')] }),
  });
  await using finished = await runFiles({ cwd: project.root, env: {}, trials: 2 });
  await using viewer = await viewerFixture(project.root);
  await using opened = await openPage(`${viewer.url}#/runs/${finished.run.run_id}`);
  const { page } = opened;
  await page.getByRole('link', { name: 'Trial 1: failed, score 0%' }).click();
  await page.getByRole('heading', { name: 'Trial 1' }).waitFor();
  await page.getByText('No, <b>never</b>.', { exact: true }).waitFor();
  expect(await page.getByRole('region', { name: 'Assertions' }).textContent()).toContain('says-donefailed · 0%');
  await page.keyboard.press('n');
  await page.getByRole('heading', { name: 'Trial 2' }).waitFor();
  await page.getByText('failure 2 of 2').waitFor();
  expect(new URL(page.url()).hash).toBe(`#/runs/${finished.run.run_id}/trials/0/0/2`);
});

import { expect, it } from 'vitest';
import { runFiles } from '../../src/app/run.ts';
import { sampleScenario } from '../cli/sample-scenario.ts';
import { projectFixture } from '../project-fixture.ts';
import { openPage } from './browser.ts';
import { viewerFixture } from './viewer-fixture.ts';

it('shows a run that begins after the page was opened', async () => {
  await using project = await projectFixture({
    'salvo.yaml': '',
    'scenarios/greeting.yaml': sampleScenario({ name: 'greeting' }),
  });
  await using viewer = await viewerFixture(project.root);
  await using opened = await openPage(viewer.url);
  const { page } = opened;
  await page.getByText('Nothing is stored yet').waitFor();
  await using _run = await runFiles({ cwd: project.root, env: {} });
  const row = page.getByRole('row').filter({ hasText: 'greeting' });
  await row.waitFor();
  await row.getByText('Pass').waitFor();
  expect(await page.getByText('Nothing is stored yet').count()).toBe(0);
});

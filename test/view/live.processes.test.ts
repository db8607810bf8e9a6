import { expect, it } from 'vitest';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { sampleScenario } from '../cli/sample-scenario.ts';
import { projectFixture } from '../project-fixture.ts';
import { openPage } from './browser.ts';
import { viewerFixture } from './viewer-fixture.ts';

it('shows what begins after the page was opened, also after it lost the connection', async () => {
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

  await page.route('**/api/events', (route) => route.abort());
  await page.reload();
  await page.getByText('Reconnecting…').waitFor();
  await row.waitFor();
  await using _second = await runFiles({ cwd: project.root, env: {} });
  expect(await row.count()).toBe(1);
  await page.unroute('**/api/events');
  await row.nth(1).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  // The browser reports every connection that it could not open.
  opened.forgetProblems();
});

import { expect, it } from 'vitest';
import { runFiles } from '../../src/app/run.ts';
import { sampleScenario } from '../cli/sample-scenario.ts';
import { projectFixture } from '../project-fixture.ts';
import { openPage } from './browser.ts';
import { viewerFixture } from './viewer-fixture.ts';

it('lists the stored runs', async () => {
  await using project = await projectFixture({
    'salvo.yaml': '',
    'scenarios/greeting.yaml': sampleScenario({ name: 'greeting' }),
  });
  await using _run = await runFiles({ cwd: project.root, env: {} });
  await using viewer = await viewerFixture(project.root);
  await using opened = await openPage(viewer.url);
  const { page } = opened;
  const row = page.getByRole('row').filter({ hasText: 'greeting' });
  await row.waitFor();
  expect(await row.textContent()).toMatch(/Passgreeting/);
});

import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from '../cli/cli-fixture.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { openPage } from './browser.ts';
import { type ViewerFixture, viewerFixture } from './viewer-fixture.ts';

let project: ProjectFixture;
let viewer: ViewerFixture;
let run: { run_id: string; user_cost: { usd: number } };

beforeAll(async () => {
  project = await projectFixture();
  await cp(fileURLToPath(new URL('../../examples/simulated-user', import.meta.url)), project.root, { recursive: true });
  await runCli(['run', 'scenarios/cancel-order.yaml', '-n', '1', '--json'], { cwd: project.root });
  viewer = await viewerFixture(project.root);
  [run] = JSON.parse(await (await viewer.request('/api/runs?limit=10')).text()).runs;
});

afterAll(async () => {
  await viewer[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

it('shows what users cost in the list and at the run, and how often they broke their role', async () => {
  expect(run.user_cost.usd).toBeGreaterThan(0);
  await using opened = await openPage(viewer.url);
  const { page } = opened;
  await page.getByText(/^\+ \$0\.0014 users$/).waitFor();
  await page.goto(`${viewer.url}#/runs/${run.run_id}`);
  await page.getByText('Cost of users').waitFor();
  await page.getByText('The simulated user broke its role in 4 of 6 trials (67%)').waitFor();
});

it('shows who played the user, which messages are simulated, and why the trial is not scored', async () => {
  await using opened = await openPage(`${viewer.url}#/runs/${run.run_id}/trials/0/2/1`);
  const { page } = opened;
  await page.getByText('Cost of the user').waitFor();
  await page.getByText('invents-a-number', { exact: true }).waitFor();
  await expect.poll(() => page.getByText('User (simulated)').count()).toBe(2);
  await page.getByText('it said "#W9910423", which it cannot know').first().waitFor();
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import type { RunLines } from '../../packages/salvo/src/app/view/runs/run-lines.ts';
import { done, sampleScenario } from '../cli/sample-scenario.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { openPage } from './browser.ts';
import { type ViewerFixture, viewerFixture } from './viewer-fixture.ts';

let project: ProjectFixture;
let viewer: ViewerFixture;

/** Two runs of a scenario that passes, and one of a scenario that does not. */
beforeAll(async () => {
  project = await projectFixture({
    'salvo.yaml': '',
    'scenarios/greeting.yaml': sampleScenario({ name: 'greeting' }),
    'scenarios/refusal.yaml': sampleScenario({ name: 'refusal', model: 'gpt-4o-mini', script: [done('No.')] }),
  });
  for (const name of ['greeting', 'greeting', 'refusal']) {
    await using _run = await runFiles({ cwd: project.root, env: {}, files: [name] });
  }
  viewer = await viewerFixture(project.root);
});
afterAll(async () => {
  await viewer[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

async function lines(query: string): Promise<RunLines> {
  return (await (await viewer.request(`/api/runs?${query}`)).json()) as RunLines;
}

async function names(query: string): Promise<(string | undefined)[]> {
  const answer = await lines(query);
  return answer.runs.map(({ scenarios }) => scenarios[0]?.name);
}

it.each([
  ['', ['refusal', 'greeting', 'greeting']],
  ['order=ascending', ['greeting', 'greeting', 'refusal']],
  ['sort=pass_rate', ['greeting', 'greeting', 'refusal']],
  ['sort=cost', ['refusal', 'greeting', 'greeting']],
  ['filter=verdict%20%3D%20fail', ['refusal']],
  ['filter=cost%20%3E%200', ['refusal']],
  ['filter=file%20~%20greet%20age%20%3C%201h', ['greeting', 'greeting']],
  ['filter=score%20%3C%2050%25', ['refusal']],
  ['sort=scenario&order=ascending', ['greeting', 'greeting', 'refusal']],
  ['offset=1&limit=1', ['greeting']],
])('the list of runs with %j', async (query, expected) => {
  expect(await names(query)).toEqual(expected);
});

it('has a trend over runs of the same scenario and model only', async () => {
  const answer = await lines('');
  expect(answer.runs.map(({ trend }) => trend)).toEqual([[0], [1, 1], [1]]);
});

it('is filtered and sorted in the page, and the filter is part of the address', async () => {
  await using opened = await openPage(viewer.url);
  const { page } = opened;
  const rows = page.getByRole('row');
  await rows.nth(3).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('verdict = fail');
  await page.getByText('1 run', { exact: true }).waitFor();
  expect(await rows.nth(1).textContent()).toContain('refusal');
  await expect.poll(() => new URL(page.url()).hash).toBe('#/runs/where/verdict%20%3D%20fail');
  await page.getByRole('searchbox').fill('');
  await page.getByText('3 runs').waitFor();
  await page.getByRole('button', { name: 'Pass rate' }).click();
  await page.getByRole('columnheader', { name: 'Pass rate' }).and(page.locator('[aria-sort=descending]')).waitFor();
  await expect.poll(() => rows.nth(1).textContent()).toContain('greeting');
});

it('deletes a run, and restores it', async () => {
  await using opened = await openPage(`${viewer.url}#/runs/where/verdict%20%3D%20fail`);
  const { page } = opened;
  const row = page.getByRole('row').filter({ hasText: 'refusal' });
  await row.getByRole('button', { name: /^Delete run/ }).click();
  await page.getByText('No run fits this filter.').waitFor();
  expect(await names('')).toEqual(['greeting', 'greeting']);
  // The keyboard goes on at the button that undoes it.
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await row.waitFor();
  expect(await names('')).toEqual(['refusal', 'greeting', 'greeting']);
  await undo.waitFor({ state: 'detached' });

  await row.getByRole('link').click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('2 runs').waitFor();
  await undo.click();
  await page.getByText('3 runs').waitFor();
});

it('says what is wrong with a filter', async () => {
  const response = await viewer.request('/api/runs?filter=price%20%3E%201');
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('at 1 is no field');
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { openPage } from './browser.ts';
import { type ViewerFixture, viewerFixture } from './viewer-fixture.ts';

let project: ProjectFixture;
let viewer: ViewerFixture;
let run = '';

const rows = Array.from({ length: 26 }, (_, index) => ({ city: `City ${index + 1}` }));

/** More rows than a page of the grid has, with two prompts. */
beforeAll(async () => {
  project = await projectFixture({
    'salvo.yaml': '',
    'scenarios/trip.yaml': [
      'prompts: ["Describe {{city}}.", { name: brief, text: "Describe {{city}} in a word." }]',
      `data: ${JSON.stringify(rows)}`,
      'adapter: ../agent.ts',
      'trials: 1',
      'assertions: [{ type: output_contains, value: green }]',
    ].join('\n'),
    'agent.ts':
      "export default ({ messages }) => messages.at(-1).content.includes('word') ? 'A green <b>town</b>.' : 'A quiet <b>town</b>.';",
  });
  await using finished = await runFiles({ cwd: project.root, env: {} });
  run = finished.run.run_id;
  viewer = await viewerFixture(project.root);
});
afterAll(async () => {
  await viewer[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

it('shows answers side by side, with the words marked that the first does not have, page by page', async () => {
  await using opened = await openPage(`${viewer.url}#/runs/${run}`);
  const { page } = opened;
  await page.getByRole('link', { name: 'Answers side by side' }).click();
  const row = page.getByRole('article', { name: 'Case 1 "City 1"' });
  await row.waitFor();
  expect(await row.getByRole('heading', { level: 3 }).allTextContents()).toEqual(['Describe {{city}}.', 'brief']);
  expect(await row.getByRole('region', { name: 'brief' }).locator('ins').allTextContents()).toEqual(['green']);
  expect(await row.locator('b').count()).toBe(0);
  expect(await page.getByRole('article').count()).toBe(25);
  await page.getByRole('link', { name: 'Next' }).click();
  await page.getByText('26 to 26 of 26').waitFor();
  expect(await page.getByRole('article').count()).toBe(1);
  await page.getByRole('article').last().getByRole('link', { name: '✔ passed' }).first().click();
  await page.getByText('A green <b>town</b>.').first().waitFor();
});

it('has one column on a phone, and nothing is wider than it', async () => {
  await using opened = await openPage(`${viewer.url}#/runs/${run}/outputs`, { viewport: { width: 390, height: 800 } });
  const { page } = opened;
  const cells = page.getByRole('article').first().getByRole('region');
  await cells.first().waitFor();
  const lefts = await cells.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().left));
  expect(new Set(lefts).size).toBe(1);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});

it('has no grid of a scenario that the run does not have', async () => {
  const answer = await viewer.request(`/api/runs/${run}/outputs?group=7`);
  expect([answer.status, await answer.json()]).toEqual([404, { error: `Run ${run} has no scenario 7.` }]);
});

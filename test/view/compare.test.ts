import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import type { CompareView } from '../../packages/salvo/src/app/view/compare/compare-view.ts';
import { done, sampleScenario } from '../cli/sample-scenario.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { openPage } from './browser.ts';
import { type ViewerFixture, viewerFixture } from './viewer-fixture.ts';

let project: ProjectFixture;
let viewer: ViewerFixture;
const runs: string[] = [];

const CASES = Array.from({ length: 9 }, (_, index) => ({ name: `case ${index + 1}`, ticket: `Ticket ${index + 1}` }));
const triage = (answer: string) =>
  sampleScenario({ name: 'triage', data: CASES, prompt: '{{ticket}}', trials: 1, script: [done(answer)] });
const steady = sampleScenario({ name: 'steady', trials: 2 });
/** With the other two, more than are shown whole. */
const QUIET = Object.fromEntries(
  ['p', 'q', 'r', 's'].map((name) => [`quiet/${name}.yaml`, sampleScenario({ name, trials: 1 })]),
);

/** A scenario that gets worse from the first run to the second, and one that stays; then both with two models. */
beforeAll(async () => {
  project = await projectFixture({
    'salvo.yaml': '',
    'scenarios/steady.yaml': steady,
    'scenarios/triage.yaml': triage('Done, with <b>care</b>.'),
    ...QUIET,
  });
  const run = async (options: Partial<Parameters<typeof runFiles>[0]> = {}) => {
    await using finished = await runFiles({ cwd: project.root, env: {}, ...options });
    runs.push(finished.run.run_id);
  };
  const all = { files: ['scenarios', 'quiet'] };
  await run();
  await writeFile(join(project.root, 'scenarios/triage.yaml'), triage('Not today, with <b>haste</b>.'));
  await run();
  await run(all);
  await writeFile(join(project.root, 'scenarios/triage.yaml'), triage('Done, with <b>care</b>.'));
  await run(all);
  await run({ models: ['one', 'two', 'three'] });
  viewer = await viewerFixture(project.root);
});
afterAll(async () => {
  await viewer[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

async function compared(...sources: (string | undefined)[]): Promise<CompareView> {
  const query = sources.map((source) => `run=${encodeURIComponent(source ?? '')}`).join('&');
  return (await (await viewer.request(`/api/compare?${query}`)).json()) as CompareView;
}

it('compares a run with the one before it, what got worse first', async () => {
  const view = await compared('previous', runs[1]);
  expect(view.runs.map(({ run_id, sentence }) => [run_id, sentence])).toEqual([
    [runs[0], null],
    [runs[1], 'Worse in 1 of 2 scenarios.'],
  ]);
  expect(view.rows.map(({ name, others }) => [name, others[0]?.conclusion])).toEqual([
    ['triage', 'worse'],
    ['steady', 'too_few_trials'],
  ]);
  const pairs = view.rows[0]?.others[0]?.pairs ?? [];
  expect(pairs.map(({ case: name, to }) => [name, to])).toEqual(CASES.map(({ name }) => [name, 'failed']));
});

it('compares the models of a run', async () => {
  const run = runs.at(-1);
  const view = await compared(`${run}@one`, `${run}@two`, `${run}@three`);
  expect(view.runs.map(({ model }) => model)).toEqual(['one', 'two', 'three']);
  expect(view.rows.map(({ name, others }) => [name, others.map((cell) => cell?.model)])).toEqual([
    ['steady', ['two', 'three']],
    ['triage', ['two', 'three']],
  ]);
});

it.each([
  ['', 'Between two and 6 runs can be compared.', 400],
  ['?run=latest&run=nobody', 'nobody', 404],
  ['?run=latest&run=salvo.yaml', 'salvo.yaml', 404],
  ['/traces?base=x&next=y', 'The scenario must be a whole number.', 400],
  ['/traces?base=latest/0/0/1&next=latest/0/0/9', 'has no such trial', 404],
])('says what is wrong with %j', async (query, words, status) => {
  const response = await viewer.request(`/api/compare${query}`);
  expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(words)]);
});

it('leads from a run to its comparison, to a case that flipped, and to the first difference', async () => {
  await using opened = await openPage(`${viewer.url}#/runs/${runs[1]}`);
  const { page } = opened;
  await page.getByRole('link', { name: 'Compare with the previous run' }).click();
  await page.getByText('Worse in 1 of 2 scenarios.').waitFor();
  const row = page.getByRole('row').filter({ hasText: 'triage' });
  expect(await row.textContent()).toContain('Worse: more than luck');
  // What decides is seen without scrolling.
  expect(await page.getByRole('rowheader').first().textContent()).toBe('All 2 scenarios together');
  await row.getByRole('img', { name: /^-100 points, 95% interval/ }).waitFor();
  await row.getByText('9 cases changed').click();
  await row.getByRole('link', { name: 'case 3' }).click();
  await page.getByText('They differ in 1 of 2 steps, first in step 2.').waitFor();
  await page.getByText('First difference', { exact: true }).waitFor();
  // Words, and as text. They are marked once the words have been compared.
  await page.locator('ins').last().waitFor();
  expect(await page.locator('del').allTextContents()).toEqual(['Done', 'care']);
  expect((await page.locator('ins').allTextContents()).join('|')).toBe('Not today|haste');
  await page.getByRole('link', { name: 'triage · case 3 · trial 1' }).first().click();
  await page.getByRole('heading', { name: 'Trial 1' }).waitFor();
});

it('folds the figures of scenarios without a result if there are many', async () => {
  const [, , base = '', next = ''] = runs;
  await using opened = await openPage(`${viewer.url}#/compare/${base}/${next}`);
  const { page } = opened;
  await page.getByText('Better in 1 of 6 scenarios, worse in none.').waitFor();
  const figures = page.locator('details', { hasText: 'Figures' });
  expect(await figures.count()).toBe(5);
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
  await row('triage').getByText('This is more than luck.').waitFor();
  const sentence = row('steady').getByText('Not even the largest change');
  expect(await sentence.isVisible()).toBe(false);
  await row('steady').getByText('Figures').click();
  await sentence.waitFor();
});

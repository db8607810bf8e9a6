import { afterAll, beforeAll, expect, it } from 'vitest';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import type { RunView } from '../../packages/salvo/src/app/view/runs/run-view.ts';
import { sampleScenario } from '../cli/sample-scenario.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { openPage } from './browser.ts';
import { type ViewerFixture, viewerFixture } from './viewer-fixture.ts';

let project: ProjectFixture;
let viewer: ViewerFixture;
/** Three cases with two models: `good` passes all of them, `bad` fails the second. */
let compared: string;
/** 250 trials of a scenario without data. */
let long: string;

beforeAll(async () => {
  const rows = ['paris', 'rome', 'oslo'].map((name) => ({ name, answer: name === 'rome' ? 'No.' : 'Done.' }));
  project = await projectFixture({
    'salvo.yaml': '',
    'scenarios/cities.yaml': sampleScenario({
      name: 'cities',
      data: rows,
      prompt: '{{name}}',
      min_score: 0.9,
      script: { models: { good: [{ content: 'Done.' }], bad: [{ content: '{{answer}}' }] } },
      assertions: [
        { type: 'output_contains', id: 'says-done', value: 'Done' },
        { type: 'output_not_contains', id: 'no-sorry', value: 'sorry' },
      ],
      threshold: 1,
    }),
    'scenarios/long.yaml': sampleScenario({ name: 'long' }),
  });
  const run = async (options: Parameters<typeof runFiles>[0]) => {
    await using finished = await runFiles({ cwd: project.root, env: {}, ...options });
    return finished.run.run_id;
  };
  compared = await run({ files: ['cities'], models: ['good', 'bad'], trials: 2 });
  long = await run({ files: ['long'], trials: 250 });
  viewer = await viewerFixture(project.root);
});
afterAll(async () => {
  await viewer[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

it('has figures of each model, and none of all together', async () => {
  const view = (await (await viewer.request(`/api/runs/${compared}`)).json()) as RunView;
  expect(view).toMatchObject({ overall: null, can_resume: false, is_running: false, stops: 0 });
  expect(view.models).toMatchObject([
    { label: 'good', verdict: 'PASS', trials_passed: 6, overall: { pass_rate: 1 } },
    { label: 'bad', verdict: 'PARTIAL', trials_passed: 4, overall: { pass_rate: 2 / 3 } },
  ]);
});

it('shows where it breaks, and leads there by links and by keys', async () => {
  await using opened = await openPage(`${viewer.url}#/runs/${compared}`);
  const { page } = opened;
  const grid = page.getByRole('table', { name: 'Trials by case' });
  const texts = () => grid.getByRole('row').allTextContents();
  await grid.getByRole('link', { name: 'Trial 2 of oslo: passed' }).last().waitFor();
  expect(await texts()).toEqual([
    expect.stringMatching(/^cities.*good.*✓ Pass.*says-done1.00no-sorry1.00$/),
    ...['paris1.001.00', 'rome1.001.00', 'oslo1.001.00'],
    expect.stringMatching(/^cities.*bad.*◐ Partial.*says-done0.67no-sorry1.00$/),
    ...['paris1.001.00', 'rome✕✕0.001.00', 'oslo1.001.00'],
  ]);
  await page.getByLabel('Cases').selectOption('worst first');
  expect((await texts())[5]).toBe('rome✕✕0.001.00');

  await page.getByRole('button', { name: 'failed 2' }).click();
  await expect.poll(async () => (await texts()).length).toBe(2);
  await page.getByRole('button', { name: 'failed 2' }).click();
  await expect.poll(async () => (await texts()).length).toBe(8);

  const focused = () => page.locator(':focus > [role=img]').getAttribute('aria-label');
  await grid.getByRole('link').first().focus();
  for (const [key, place] of [
    ['ArrowRight', 'Trial 2 of paris: passed, score 1.00'],
    ['ArrowDown', 'Trial 2 of rome: passed, score 1.00'],
    ['ArrowDown', 'Trial 2 of oslo: passed, score 1.00'],
    ['ArrowRight', 'Trial 1 of rome: failed, score 0.50'],
    ['End', 'Trial 2 of rome: failed, score 0.50'],
    ['ArrowUp', 'Trial 2 of oslo: passed, score 1.00'],
    ['ArrowRight', 'Trial 1 of rome: failed, score 0.50'],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(focused).toBe(place);
  }
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Trial 1' }).waitFor();
  await expect.poll(() => new URL(page.url()).hash).toBe(`#/runs/${compared}/trials/1/1/1`);

  await page.goBack();
  const failures = page.getByRole('region', { name: 'What failed' });
  expect(await failures.getByRole('row').nth(1).textContent()).toContain('says-donecities · bad2 (33%)rome, trial 1');
  const gates = page.getByRole('region', { name: 'Gates' });
  expect(await gates.getByRole('row').filter({ hasText: 'min_score' }).last().textContent()).toContain('✕ missed');
  await failures.getByRole('link', { name: 'rome, trial 1' }).click();
  await page.getByRole('heading', { name: 'Trial 1' }).waitFor();
  await page.goBack();
  await grid.waitFor();
  await page.keyboard.press('n');
  await page.getByRole('heading', { name: 'Trial 1' }).waitFor();
  await expect.poll(() => new URL(page.url()).hash).toBe(`#/runs/${compared}/trials/1/1/1`);
});

it('divides many trials into rows', async () => {
  await using opened = await openPage(`${viewer.url}#/runs/${long}`);
  const { page } = opened;
  await page.getByRole('link', { name: 'Trial 250: passed' }).waitFor();
  expect(await page.getByRole('rowheader').allTextContents()).toEqual([
    ...['longscripted', 'trials 1–100', 'trials 101–200', 'trials 201–250'],
  ]);
});

it.each([
  ['resume', { budget_usd: -1 }, 'budget_usd'],
  ['resume', { budget: 1 }, 'Unrecognized key: "budget"'],
  ['resume', 'no JSON', 'It is no JSON.'],
])('refuses to %s with %j', async (action, body, message) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await viewer.request(`/api/runs/${long}/${action}`, { method: 'POST', body: text });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain(JSON.stringify(message).slice(1, -1));
});

it('cannot delete or restore a run that is not there', async () => {
  expect((await viewer.request('/api/runs/nothing', { method: 'DELETE' })).status).toBe(404);
  expect((await viewer.request(`/api/runs/${long}/restore`, { method: 'POST' })).status).toBe(404);
});

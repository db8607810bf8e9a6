import { afterAll, beforeAll, expect, it } from 'vitest';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { viewProject } from '../../packages/salvo/src/app/view/viewed-project.ts';
import { serveViewer } from '../../packages/salvo/src/server/serve-viewer.ts';
import { done, sampleScenario } from '../cli/sample-scenario.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { openPage } from './browser.ts';
import { type ViewerFixture, viewerFixture } from './viewer-fixture.ts';

let project: ProjectFixture;
let viewer: ViewerFixture;
/** The same answers, of which the second run demands something else. */
const runs: string[] = [];

const CASES = Array.from({ length: 30 }, (_, index) => ({ name: `case ${index + 1}`, answer: `Done ${index % 2}.` }));
const demanding = (value: string) =>
  sampleScenario({
    ...{ name: 'answers', data: CASES, prompt: '{{name}}', trials: 1, script: [done('{{answer}}')] },
    assertions: [{ type: 'output_contains', value }],
  });

beforeAll(async () => {
  project = await projectFixture({ 'salvo.yaml': '' });
  for (const value of ['Done', 'Done 0']) {
    await project.write('s.yaml', demanding(value));
    await using finished = await runFiles({ cwd: project.root, env: {}, files: ['s.yaml'] });
    runs.push(finished.run.run_id);
  }
  viewer = await viewerFixture(project.root);
});
afterAll(async () => {
  await viewer[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

it('keeps the filter and the order of a run in its address, on the way back and in a link', async () => {
  await using opened = await openPage(`${viewer.url}#/runs/${runs[1]}`);
  const { page } = opened;
  const grid = page.getByRole('table', { name: 'Trials by case' });
  await page.getByLabel('Cases').selectOption('worst first');
  await page.getByRole('button', { name: 'failed 15' }).click();
  const address = `#/runs/${runs[1]}/where/status=failed&order=worst`;
  await expect.poll(() => new URL(page.url()).hash).toBe(address);
  await expect.poll(() => grid.getByRole('row').count()).toBe(16);
  await grid.getByRole('link').first().click();
  await page.getByRole('heading', { name: 'Trial 1' }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'failed 15', pressed: true }).waitFor();
  await expect.poll(() => new URL(page.url()).hash).toBe(address);
  await page.reload();
  await page.getByRole('button', { name: 'failed 15', pressed: true }).waitFor();
  expect(await page.getByLabel('Cases').inputValue()).toBe('worst');
});

it('says what failed before all trials', async () => {
  await using opened = await openPage(`${viewer.url}#/runs/${runs[1]}`);
  const { page } = opened;
  await page.getByRole('heading', { name: 'Trials', exact: true }).waitFor();
  const [first] = await page.getByRole('heading', { level: 2 }).allTextContents();
  expect(first).toBe('What failed');
});

it('does not call two conversations the same if one passed and the other failed', async () => {
  await using opened = await openPage(`${viewer.url}#/traces/${runs[0]}/0/1/1/with/${runs[1]}/0/1/1`);
  const { page } = opened;
  await page
    .getByText('Their messages are the same, and what was said of them is not: passed (score 1.00) and')
    .waitFor();
  await page.goto(`${viewer.origin}/#/traces/${runs[0]}/0/0/1/with/${runs[1]}/0/0/1`);
  await page.getByText('They are the same, message by message.').waitFor();
});

it('shows a problem instead of a blank page after an answer that it does not understand', async () => {
  await using opened = await openPage(viewer.url);
  const { page, forgetProblems } = opened;
  await page.route(`**/api/runs/${runs[0]}`, (route) => route.fulfill({ json: { run_id: runs[0] } }));
  await page.goto(`${viewer.origin}/#/runs/${runs[0]}`);
  await page.getByRole('heading', { name: 'This page cannot be shown' }).waitFor();
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await page.getByText('2 runs').waitFor();
  forgetProblems();
});

it('compresses answers, and not the stream of changes', async () => {
  const headers = { 'accept-encoding': 'gzip' };
  const outcomes = await viewer.request(`/api/runs/${runs[0]}/outcomes`, { headers });
  expect(outcomes.headers.get('content-encoding')).toBe('gzip');
  expect(((await outcomes.json()) as { outcomes: unknown[] }).outcomes).toHaveLength(30);
  const aborted = new AbortController();
  const events = await viewer.request('/api/events', { headers, signal: aborted.signal });
  expect(events.headers.get('content-encoding')).toBeNull();
  aborted.abort();
});

it('sends to the terminal what it points to there, and nothing of it to the page', async () => {
  const token = 'a-token-of-our-own-0123456789';
  await using viewed = await viewProject({ cwd: project.root, env: {}, command: [] });
  const broken = { ...viewed, store: () => Promise.reject(new Error('no disk at /private')) };
  const failures: string[] = [];
  const answerOf = async (onFailure?: (error: Error) => void) => {
    await using failing = await serveViewer(broken, { env: { SALVO_VIEW_TOKEN: token }, onFailure });
    const response = await fetch(`${failing.origin}/api/runs`, { headers: { authorization: `Bearer ${token}` } });
    return [response.status, await response.json()];
  };
  expect(await answerOf(({ message }) => failures.push(message))).toEqual([
    500,
    { error: 'The viewer failed. The terminal in which it runs shows why.' },
  ]);
  expect(failures).toEqual(['no disk at /private']);
  expect(await answerOf()).toEqual([500, { error: 'The viewer failed.' }]);
});

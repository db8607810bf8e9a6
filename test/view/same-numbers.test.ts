import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { documentOf, runCli } from '../cli/cli-fixture.ts';
import { sampleScenario } from '../cli/sample-scenario.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { openPage } from './browser.ts';
import { type ViewerFixture, viewerFixture } from './viewer-fixture.ts';

let project: ProjectFixture;
let viewer: ViewerFixture;
let texts: { terminal: string; markdown: string; junit: string };

beforeAll(async () => {
  const rows = ['paris', 'rome', 'oslo'].map((name) => ({ name, answer: name === 'rome' ? 'No.' : 'Done.' }));
  project = await projectFixture({
    'salvo.yaml': '',
    'scenarios/cities.yaml': sampleScenario({
      name: 'cities',
      data: rows,
      prompt: '{{name}}',
      min_score: 0.833,
      script: { models: { good: [{ content: 'Done.' }], bad: [{ content: '{{answer}}' }] } },
      assertions: [
        { type: 'output_contains', id: 'says-done', value: 'Done' },
        { type: 'output_not_contains', id: 'no-sorry', value: 'sorry' },
      ],
      threshold: 1,
    }),
  });
  const run = await runCli(
    ['run', '--models', 'bad', '-n', '2', '--full', '--markdown', 'run.md', '--junit', 'run.xml'],
    { cwd: project.root },
  );
  expect(run.code, run.stderr).toBe(1);
  texts = {
    terminal: run.stdout,
    markdown: await readFile(project.path('run.md'), 'utf8'),
    junit: await readFile(project.path('run.xml'), 'utf8'),
  };
  viewer = await viewerFixture(project.root);
});
afterAll(async () => {
  await viewer[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

it('a run has the same numbers in the terminal, in Markdown, in JUnit and on its page', async () => {
  await using opened = await openPage(`${viewer.url}#/runs/${await latestRun()}`);
  const { page } = opened;
  await page.getByRole('img', { name: '67%, 95% interval 0–100%' }).first().waitFor();
  for (const text of [texts.terminal, texts.markdown]) {
    expect(text).toMatch(/67% .*0–100% .*0\.83 \(0\.50\)/);
    expect(text).toContain('mean score 0.8333 (95% CI 0.03 to 0.99), at least 0.8330 required');
    expect(text).toMatch(/2\.0 .*2\/6 .*says-done/);
  }
  const gates = page.getByRole('region', { name: 'Gates' });
  expect(await gates.getByRole('row').filter({ hasText: 'min_score' }).textContent()).toContain(
    '0.83300.83330.03 to 0.99',
  );
  expect(await page.getByRole('region', { name: 'What failed' }).getByRole('row').nth(1).textContent()).toContain(
    '2.0',
  );
  expect(texts.junit).toContain('score 0.50');
  await page.locator('[aria-label="Trial 1 of rome: failed, score 0.50"]').waitFor();
});

it('a comparison has the same numbers in the terminal and on its page', async () => {
  const base = await latestRun();
  const next = await runCli(['run', '--models', 'good', '-n', '2', '--json'], { cwd: project.root });
  const { run_id } = documentOf(next);
  const { stdout } = await runCli(['compare', `${base}@bad`, `${run_id}@good`], { cwd: project.root });
  expect(stdout).toMatch(/67% +100% +\+33 /);
  await using opened = await openPage(`${viewer.url}#/compare/${base}@bad/${run_id}@good`);
  await opened.page
    .getByRole('img', { name: /^\+33 points, 95% interval/ })
    .first()
    .waitFor();
});

async function latestRun(): Promise<string> {
  return documentOf(await runCli(['report', '--json'], { cwd: project.root })).run_id;
}

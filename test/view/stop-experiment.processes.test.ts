import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { startCli } from '../cli/cli-fixture.ts';
import { projectFixture } from '../project-fixture.ts';
import { openPage } from './browser.ts';
import { viewerFixture } from './viewer-fixture.ts';

/** From the third piece of code on, it waits while there is a file `wait`. */
const SCANNER = `
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
appendFileSync('started.txt', 'x');
const isLate = readFileSync('started.txt', 'utf8').length > 2;
while (isLate && existsSync('wait')) await new Promise((resolve) => setTimeout(resolve, 10));
console.log(JSON.stringify({ findings: [] }));
`;

const EXPERIMENT = `
name: small
tasks: [website-origin]
blue: ["command:node scanner.mjs {dir}"]
difficulty: [easy]
language: [terraform]
seed: 4
repetitions: 6
twin: never
`;

const FILES = { 'salvo.yaml': '', wait: '', 'scanner.mjs': SCANNER, 'e.yaml': EXPERIMENT };

it('follows an experiment of another process, stops and resumes it, as a run', async () => {
  await using project = await projectFixture(FILES);
  await using viewer = await viewerFixture(project.root);
  await using opened = await openPage(viewer.url);
  const { page } = opened;
  await page.getByRole('link', { name: 'Experiments' }).click();
  const started = startCli(['experiment', 'e.yaml', '--concurrency', '1'], { cwd: project.root });

  await page.getByRole('link', { name: 'small' }).click();
  await page.getByText('2 of 6 games').waitFor();
  expect(await page.getByRole('progressbar', { name: 'Games' }).getAttribute('value')).toBe('2');
  await page.getByText('Running').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Finishing the games under way').waitFor();
  await started.untilStderrHas('Finishing the games under way');
  await page.getByRole('button', { name: 'Stop at once' }).waitFor();
  await project.remove('wait');
  expect((await started.result).code).toBe(3);
  await page.getByText('3 of 6 games').waitFor();
  await page.getByText('Interrupted').waitFor();
  expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
  expect(await readFile(project.path('started.txt'), 'utf8')).toBe('xxx');

  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Finished').waitFor();
  expect(await readFile(project.path('started.txt'), 'utf8')).toBe('x'.repeat(6));
  expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(0);
});

it('gives up the games under way when it is asked once more, and says when nothing is there to stop', async () => {
  await using project = await projectFixture(FILES);
  const started = startCli(['experiment', 'e.yaml', '--concurrency', '1', '-q'], { cwd: project.root });
  await using viewer = await viewerFixture(project.root);
  await expect.poll(() => readFile(project.path('started.txt'), 'utf8').catch(() => '')).toBe('xxx');
  const listed = (await (await viewer.request('/api/experiments')).json()) as {
    experiments: { experiment_id: string }[];
  };
  const id = listed.experiments[0]?.experiment_id;
  const stop = () => viewer.request(`/api/experiments/${id}/stop`, { method: 'POST' });
  expect((await stop()).status).toBe(200);
  await started.untilStderrHas('Finishing');
  await stop();
  expect((await started.result).code).toBe(3);
  const late = await stop();
  expect([late.status, await late.json()]).toEqual([
    409,
    { error: `No process works on experiment ${id}, so nothing was stopped.` },
  ]);

  await project.write('salvo.yaml', 'judge: [');
  const refused = await viewer.request(`/api/experiments/${id}/resume`, { method: 'POST' });
  expect([refused.status, await refused.json()]).toEqual([400, { error: expect.stringContaining('salvo.yaml:1:') }]);
});

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { viewProject } from '../../packages/salvo/src/app/view/viewed-project.ts';
import { type ExportHtmlOptions, exportHtml } from '../../packages/salvo/src/server/export/export-html.ts';
import { done, sampleScenario } from '../cli/sample-scenario.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { openPage } from './browser.ts';
import { DOORS, PAGES } from './viewer-fixture.ts';

const HOSTILE = '</script><!--<script>document.title = "taken over"</script>';
const LONG = `${'x'.repeat(30_000)} the end`;

let project: ProjectFixture;
let runId: string;

/** A scenario that passes, and one that fails with an answer that tries to get out of its element. */
beforeAll(async () => {
  project = await projectFixture({
    'salvo.yaml': '',
    'scenarios/greeting.yaml': sampleScenario({ name: 'greeting' }),
    'scenarios/refusal.yaml': sampleScenario({ name: 'refusal', script: [done(`${HOSTILE} ${LONG}`)] }),
  });
  await using finished = await runFiles({ cwd: project.root, env: {}, trials: 2 });
  runId = finished.run.run_id;
});
afterAll(() => project[Symbol.asyncDispose]());

async function exported(options: Partial<ExportHtmlOptions> = {}): Promise<string> {
  const parts: string[] = [];
  await using viewed = await viewProject({ cwd: project.root, env: {}, readOnly: true });
  const all = { viewed, what: ['latest'], trials: 'all' as const, pages: PAGES, doors: DOORS };
  await exportHtml({ ...all, ...options }, async (html) => void parts.push(html));
  const file = join(project.root, 'run.html');
  await writeFile(file, parts.join(''));
  return pathToFileURL(file).href;
}

it('shows a run and its conversations from a file, without any connection', async () => {
  await using opened = await openPage(await exported(), { offline: true });
  const { page } = opened;
  await page.getByRole('heading', { name: `Run ${runId}` }).waitFor();
  await expect.poll(() => new URL(page.url()).hash).toBe(`#/runs/${runId}`);
  expect(await page.title()).toBe(`✕ Run ${runId} · Salvo`);
  await page.getByRole('link', { name: 'Trial 2: failed, score 0.00' }).click();
  await page.getByText(HOSTILE).first().waitFor();
  await page.getByRole('button', { name: /Show all/ }).click();
  await page.getByText('the end').first().waitFor();
  expect(await page.title()).toBe('refusal · trial 2 · Salvo');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(page.url().replace('trials/1/0/2', 'trials/0/0/1'));
  await page.getByText('failure 1').waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Trial 1' }).waitFor();
  expect(requests.filter((url) => !/^(?:file|data|blob):/.test(url))).toEqual([]);
});

it('has the conversations of failures only, if asked to', async () => {
  await using opened = await openPage(`${await exported({ trials: 'failed' })}#/runs/${runId}/trials/0/0/1`);
  await opened.page.getByText('This file does not contain it.').waitFor();
  await opened.page.goto(opened.page.url().replace('trials/0/0/1', 'trials/1/0/1'));
  await opened.page.getByText(HOSTILE).first().waitFor();
});

it('compares the runs that it has, down to two conversations', async () => {
  await using second = await runFiles({ cwd: project.root, env: {}, trials: 2 });
  const file = await exported({ what: [runId, second.run.run_id], trials: 'failed' });
  await using opened = await openPage(file);
  const { page } = opened;
  await page.getByRole('link', { name: 'Comparison' }).waitFor();
  await expect.poll(() => new URL(page.url()).hash).toBe(`#/compare/${runId}/${second.run.run_id}`);
  await page.goto(`${file}#/traces/${runId}/0/0/1/with/${second.run.run_id}/0/0/1`);
  await page.getByText('Please.').first().waitFor();
});

it('allows its own script and style sheet by their hashes, and nothing else', async () => {
  const html = await readFile(new URL(await exported()), 'utf8');
  const policy = /Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1] ?? '';
  expect(policy).toMatch(
    /^default-src 'none'; script-src(?: 'sha256-[^ ]+'){2}; style-src(?: 'sha256-[^ ]+'){2}; font-src data:;/,
  );
  expect(policy).not.toContain('unsafe');
  expect(html).not.toContain('taken over');
});

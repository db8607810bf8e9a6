import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { type ViewedProject, viewProject } from '../../packages/salvo/src/app/view/viewed-project.ts';
import type { ViewerDoor } from '../../packages/salvo/src/app/view/viewer-door.ts';
import type { SalvoExtension } from '../../packages/salvo/src/extension/extension.ts';
import { exportHtml } from '../../packages/salvo/src/server/export/export-html.ts';
import { serveViewer } from '../../packages/salvo/src/server/serve-viewer.ts';
import { sampleScenario } from '../cli/sample-scenario.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { openPage } from './browser.ts';
import { PAGES } from './viewer-fixture.ts';

let project: ProjectFixture;
let viewed: ViewedProject;
/** The example of the documentation. */
let door: ViewerDoor;

beforeAll(async () => {
  project = await projectFixture({ 'salvo.yaml': '', 's.yaml': sampleScenario() });
  const docs = await readFile(new URL('../../docs/viewer.md', import.meta.url), 'utf8');
  for (const [, name = '', code = ''] of docs.matchAll(/```js\n\/\/ (\S+)\n(.*?)```/gs)) {
    await writeFile(project.path(name), code);
  }
  await writeFile(project.path('package.json'), '{ "type": "module" }');
  const extension: SalvoExtension = (await import(pathToFileURL(project.path('extension.js')).href)).default;
  const opened = await extension.doors.viewer?.();
  if (opened === undefined) throw new Error('The example has no door to the viewer.');
  door = opened;
  await using _run = await runFiles({ cwd: project.root, env: {}, files: ['s.yaml'] });
  viewed = await viewProject({ cwd: project.root, env: {}, readOnly: true });
});
afterAll(async () => {
  await viewed[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

async function placesOf(doors: ViewerDoor[]): Promise<string[]> {
  await using viewer = await serveViewer(viewed, { pages: PAGES, doors });
  await using opened = await openPage(viewer.url);
  const places = opened.page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await places.first().waitFor();
  return await places.allTextContents();
}

it('shows nothing of packages that are not installed', async () => {
  expect(await placesOf([])).toEqual(['Runs', 'Compare', 'Judges', 'Mutants', 'Labels']);
});

it('has the pages of a package in its navigation, with what its routes answer', async () => {
  expect(await placesOf([door])).toEqual(['Runs', 'Compare', 'Count', 'Judges', 'Mutants', 'Labels']);
  await using viewer = await serveViewer(viewed, { pages: PAGES, doors: [door] });
  await using opened = await openPage(viewer.url);
  await opened.page.getByRole('link', { name: 'Count' }).click();
  await opened.page.getByRole('heading', { name: 'Stored runs: 1' }).waitFor();
  expect(await opened.page.title()).toBe('Count · Salvo');
  expect(await opened.page.getByRole('link', { name: 'Count' }).getAttribute('aria-current')).toBe('page');
});

it('finds what a package stores by its id, and puts what its pages ask for into an HTML file', async () => {
  const script = project.path('tally.js');
  const route = "addPages({ routes: [{ path: '/tally', page: () => createElement(CountPage) }] });";
  await writeFile(script, `${await readFile(project.path('pages.js'), 'utf8')}\n${route}`);
  const tally: ViewerDoor = {
    ...door,
    pages: { script: pathToFileURL(script) },
    subjects: ['tally'],
    find: async (_, words) => {
      const answers = async (ask: (path: string) => Promise<Response>) => void (await ask('/count'));
      return 'tally-1'.startsWith(words) ? { id: 'tally-1', name: 'Tally', href: '/tally', answers } : null;
    },
  };
  const parts: string[] = [];
  const options = { viewed, trials: 'all' as const, pages: PAGES, doors: [tally] };
  await exportHtml({ ...options, what: ['tally'] }, async (html) => void parts.push(html));
  await writeFile(project.path('tally.html'), parts.join(''));
  await using opened = await openPage(pathToFileURL(project.path('tally.html')).href, { offline: true });
  // The list of runs that was counted is that of the file, which has none.
  await opened.page.getByRole('heading', { name: 'Stored runs: 0' }).waitFor();
  expect(new URL(opened.page.url()).hash).toBe('#/tally');
  await expect(exportHtml({ ...options, what: ['nothing'] }, async () => {})).rejects.toThrow(
    'There is no run "nothing"',
  );
});

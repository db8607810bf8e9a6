import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { viewProject } from '../../packages/salvo/src/app/view/viewed-project.ts';
import { exportHtml } from '../../packages/salvo/src/server/export/export-html.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { SVG, samplePng } from '../sample-images.ts';
import { openPage } from './browser.ts';
import { DOORS, PAGES, type ViewerFixture, viewerFixture } from './viewer-fixture.ts';

const SCENARIO = `
adapter: scripted
prompt: What did it cost?
files:
  - receipt.png
  - { path: evil.svg, name: "../evil\\u202E.svg" }
  - { path: page.html, media_type: text/html }
  - { url: "https://example.com/a.jpg" }
tools: [{ name: zoom, mock_responses: [{ respond: closer, files: [receipt.png] }] }]
script: [{ tool_calls: [{ name: zoom }] }, { content: "49.90" }]
assertions: [{ type: output_contains, value: "49.90" }]
`;

let project: ProjectFixture;
let viewer: ViewerFixture;
let trial: string;
let traceId: string;

beforeAll(async () => {
  project = await projectFixture({ 'salvo.yaml': '', 'a.yaml': SCENARIO, 'page.html': '<script>alert(1)</script>' });
  await project.write('receipt.png', samplePng(160, [40, 90, 200]));
  await project.write('evil.svg', SVG);
  await using finished = await runFiles({ cwd: project.root, env: {}, files: ['a.yaml'], trials: 1 });
  viewer = await viewerFixture(project.root);
  trial = `#/runs/${finished.run.run_id}/trials/0/0/1`;
  const view = await viewer.request(`/api/runs/${finished.run.run_id}/trials/0/0/1`);
  traceId = JSON.parse(await view.text()).trace.trace_id;
});

afterAll(async () => {
  await viewer[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

const WIDTHS = "[...document.querySelectorAll('figure img')].map((image) => image.naturalWidth)";
const file = (index: number, position: number) => `/api/traces/${traceId}/messages/${index}/files/${position}`;

it('shows images, and of other files only their names', async () => {
  await using opened = await openPage(`${viewer.url}${trial}`);
  const { page } = opened;
  await page.getByRole('img', { name: 'receipt.png' }).first().waitFor();
  await expect.poll(() => page.evaluate(WIDTHS)).toEqual([160, 160]);
  const names = await page.getByRole('list', { name: 'Files' }).first().getByRole('listitem').allTextContents();
  expect(names).toEqual([
    expect.stringContaining('receipt.png (image/png, '),
    expect.stringContaining('evil'),
    expect.stringContaining('page.html (text/html, 25 bytes)'),
    'a.jpg (image/jpeg) at https://example.com/a.jpg',
  ]);
  expect(names[1]).not.toContain('\u202e');
});

it('serves an image with its checked type, and anything else as bytes to be saved', async () => {
  const image = await viewer.request(file(0, 0));
  expect(image.headers.get('content-type')).toBe('image/png');
  expect(image.headers.get('content-disposition')).toBe("inline; filename*=UTF-8''receipt.png");
  expect(Buffer.from(await image.arrayBuffer())).toEqual(samplePng(160, [40, 90, 200]));
  const [svg, html] = [await viewer.request(file(0, 1)), await viewer.request(file(0, 2))];
  for (const { headers } of [svg, html, image]) {
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  }
  for (const { headers } of [svg, html]) expect(headers.get('content-type')).toBe('application/octet-stream');
  expect(svg.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''.._evil_.svg");
  expect(html.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''page.html");
});

it.each([
  [() => file(0, 3), 'an address'],
  [() => file(0, 9), 'no such file'],
  [() => file(99, 0), 'no such message'],
])('answers with 404 for what it does not have', async (path) => {
  expect((await viewer.request(path())).status).toBe(404);
});

it('answers nobody without the token', async () => {
  expect((await fetch(`${viewer.origin}${file(0, 0)}`)).status).toBe(401);
});

it('writes images into an HTML file', async () => {
  const parts: string[] = [];
  await using viewed = await viewProject({ cwd: project.root, env: {}, readOnly: true });
  const options = { viewed, what: ['latest'], trials: 'all' as const, pages: PAGES, doors: DOORS };
  await exportHtml(options, async (html) => void parts.push(html));
  const html = join(project.root, 'run.html');
  await writeFile(html, parts.join(''));
  await using opened = await openPage(`${pathToFileURL(html).href}${trial}`, { offline: true });
  await opened.page.getByRole('img', { name: 'receipt.png' }).first().waitFor();
  await expect.poll(() => opened.page.evaluate(WIDTHS)).toEqual([160, 160]);
  expect(await opened.page.getByRole('link', { name: /receipt.png/ }).count()).toBe(0);
});

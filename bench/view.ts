import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { viewProject } from '../packages/salvo/src/app/view/viewed-project.ts';
import { serveViewer } from '../packages/salvo/src/server/serve-viewer.ts';
import { launchChromium } from '../test/view/launch-chromium.ts';
import { benchComparisonBeside } from './comparison-beside.ts';
import { CLI, measureProcess, median } from './measure-process.ts';
import { benchRunList } from './run-list.ts';

const CASES = 1000;
const TRIALS_PER_CASE = 10;
const ROUNDS = 3;

/** A run of 10,000 trials in the viewer, from the server and from an HTML file; a comparison with it; and the list of 5,000 runs. */
export async function benchView(): Promise<string[]> {
  const dir = mkdtempSync(join(tmpdir(), 'salvo-bench-view-'));
  try {
    writeProject(dir);
    execFileSync(process.execPath, [CLI, 'run', '--quiet', '-n', String(TRIALS_PER_CASE)], { cwd: dir });
    const report = await measureProcess([CLI, 'report', '--json'], { cwd: dir });
    const html = join(dir, 'run.html');
    const exported = await measureProcess([CLI, 'export', '--html', html], { cwd: dir, usage: true });
    await using viewed = await viewProject({ cwd: dir, env: {} });
    await using viewer = await serveViewer(viewed);
    await using browser = await launchChromium();
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.goto(viewer.url);
    const runPage = await page.getByRole('row').getByRole('link').first().getAttribute('href');
    const bare: number[] = [];
    const opened: number[] = [];
    const fromFile: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(await page.evaluate(bareFetch, (runPage ?? '').slice(1)));
      await page.goto('about:blank');
      opened.push(await timeToOpen(page, `${viewer.origin}/${runPage}`));
    }
    const scrolled = await timeToEnd(page);
    const nodes = await page.evaluate<number>('document.querySelectorAll("*").length');
    for (let round = 0; round < ROUNDS; round += 1) {
      await page.goto('about:blank');
      fromFile.push(await timeToOpen(page, pathToFileURL(html).href));
    }
    return [
      `${CASES * TRIALS_PER_CASE} trials: the page of the run opens in ${seconds(median(opened))} (aim: 1 s); a bare fetch of its data takes ${seconds(median(bare))}, \`report --json\` ${seconds(report.seconds)}`,
      `to the last row in ${seconds(scrolled)}, ${nodes} elements in the page`,
      `as an HTML file of ${(statSync(html).size / 1e6).toFixed(1)} MB, written in ${seconds(exported.seconds)} with ${exported.peakMegabytes.toFixed(0)} MB: it opens in ${seconds(median(fromFile))}`,
      await comparison(dir),
      await benchRunList(),
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** In a viewer that has just been started: the other one has the page open, which asks for things itself. */
async function comparison(dir: string): Promise<string> {
  execFileSync(process.execPath, [CLI, 'run', '--quiet', '-n', '2'], { cwd: dir });
  await using viewed = await viewProject({ cwd: dir, env: {} });
  await using viewer = await serveViewer(viewed);
  return await benchComparisonBeside(viewer);
}

function seconds(value: number): string {
  return `${value.toFixed(2)} s`;
}

function writeProject(dir: string): void {
  writeFileSync(join(dir, 'salvo.yaml'), '');
  const rows = Array.from({ length: CASES }, (_, index) => ({
    id: `order-${index}`,
    status: `shipped on day ${index}`,
  }));
  const scenario = {
    name: 'orders',
    adapter: 'scripted',
    data: rows,
    system_prompt: 'You are a support agent. Look orders up before you act on them. '.repeat(16),
    prompt: 'Where is {{id}}?',
    tools: [{ name: 'lookup', mock_response: { status: '{{status}}' } }],
    assertions: [
      { type: 'tool_called', tool: 'lookup' },
      { type: 'output_contains', value: 'has been' },
    ],
    min_pass_rate: 0.1,
    script: {
      variants: [
        {
          weight: 9,
          turns: [{ tool_calls: [{ name: 'lookup', arguments: {} }] }, { content: 'It has been shipped.' }],
        },
        { weight: 1, turns: [{ content: 'I do not know.' }] },
      ],
    },
  };
  mkdirSync(join(dir, 'scenarios'));
  writeFileSync(join(dir, 'scenarios/orders.yaml'), JSON.stringify(scenario));
}

/** Until the trials of the first case are there. */
async function timeToOpen(page: Page, url: string): Promise<number> {
  const started = performance.now();
  await page.goto(url);
  await page.getByRole('link', { name: /^Trial 10 of 1:/ }).waitFor();
  return (performance.now() - started) / 1000;
}

async function timeToEnd(page: Page): Promise<number> {
  const started = performance.now();
  const last = page.getByRole('link', { name: new RegExp(`^Trial 10 of ${CASES}:`) });
  while (!(await last.isVisible())) await page.mouse.wheel(0, 20_000);
  return (performance.now() - started) / 1000;
}

/** What any page has to wait for. */
async function bareFetch(path: string): Promise<number> {
  const started = performance.now();
  await (await fetch(`/api${path}`)).json();
  for (let offset: number | null = 0; offset !== null; ) {
    const response: Response = await fetch(`/api${path}/outcomes?offset=${offset}`);
    offset = ((await response.json()) as { next_offset: number | null }).next_offset;
  }
  return (performance.now() - started) / 1000;
}

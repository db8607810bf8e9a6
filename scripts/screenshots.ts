import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { comparisonHref } from '../packages/salvo/src/app/view/page-hrefs.ts';
import { viewProject } from '../packages/salvo/src/app/view/viewed-project.ts';
import { serveViewer } from '../packages/salvo/src/server/serve-viewer.ts';
import { comparisonsOf } from '../packages/salvo/src/store/comparison-tables.ts';
import { openExperiment } from '../packages/salvo-arena/src/app/experiments/stored-experiments.ts';
import { launchChromium } from '../test/view/launch-chromium.ts';

const CLI = resolve('packages/salvo/bin/salvo.js');
const TARGET = resolve('docs/images');
const MOST_BYTES = 300_000;
/** All that differs from one time to the next: the dates of the runs. */
const SHOWN_DATE = '16 Nov 2026, 09:30';
const DATE = '\\d{1,2} [A-Z][a-z]{2} \\d{4}, \\d{2}:\\d{2}';

/** Pictures of the main pages, from the results of the demo and of the examples of an experiment and of judges. */
const dir = await mkdtemp(join(tmpdir(), 'salvo-screenshots-'));
try {
  const project = join(dir, 'support');
  await mkdir(TARGET, { recursive: true });
  salvo(dir, 'demo', '--keep', dir);
  salvo(project, 'run', '-n', '20', '--seed', '7', '--quiet');
  salvo(project, 'experiment', resolve('examples/experiment/experiment.yaml'), '--quiet');
  await using experiment = await openExperiment({ cwd: project, experiment: 'latest' });
  const games = await Array.fromAsync(experiment.games());
  const judges = join(dir, 'rubric-judge');
  await cp(resolve('examples/rubric-judge'), judges, { recursive: true });
  salvo(judges, 'calibrate', 'labels.jsonl', '--judges', 'judges.yaml', '--quiet');
  // One in which Blue found some of the flaws.
  const game = games.find(
    ({ scores, difficulty }) =>
      difficulty === 'medium' && scores && scores.true_positives > 1 && scores.false_negatives > 0,
  );
  await using viewed = await viewProject({ cwd: project, readOnly: true });
  await using viewer = await serveViewer(viewed);
  const runs = (await (await viewed.store())?.listRuns()) ?? [];
  const judged = runs.find(({ scenarios }) => scenarios.length === 1 && !scenarios[0]?.file.includes('stricter'));
  const [second, first] = runs.filter(({ scenarios }) => scenarios.length > 1);
  const id = experiment.experiment.experiment_id;
  const pages: Record<string, string> = {
    runs: '/',
    run: `/runs/${first?.run_id}`,
    trial: `/runs/${judged?.run_id}/trials/0/0/6`,
    compare: `/compare/${first?.run_id}/${second?.run_id}`,
    experiment: `/experiments/${id}`,
    game: `/experiments/${id}/games/${game?.game_id}`,
  };
  await using browser = await launchChromium();
  const context = await browser.newContext({
    ...{ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', colorScheme: 'light' },
  });
  const page = await context.newPage();
  await page.goto(viewer.url);
  for (const [name, address] of Object.entries(pages)) await picture(page, name, address);
  await using comparing = await viewProject({ cwd: judges, readOnly: true });
  await using ofJudges = await serveViewer(comparing);
  const stored = await comparing.store();
  const [comparison] = stored ? await comparisonsOf(stored).listComparisons() : [];
  await page.setViewportSize({ width: 1280, height: 1440 });
  await page.goto(ofJudges.url);
  await picture(page, 'which-judge', comparisonHref(comparison?.comparison_id ?? ''));
} finally {
  await rm(dir, { recursive: true, force: true });
}

function salvo(cwd: string, ...args: string[]): void {
  try {
    execFileSync(process.execPath, [CLI, ...args], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    // Some of what is shown fails, as it should.
    const code = error instanceof Error && 'status' in error ? error.status : null;
    if (code !== 1 && code !== 2) throw error;
  }
}

async function picture(page: Page, name: string, address: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
  await page.locator('h1').waitFor();
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(500);
  await page.evaluate(`{
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      node.data = node.data.replace(/${DATE}/g, ${JSON.stringify(SHOWN_DATE)});
    }
    document.activeElement?.blur();
  }`);
  const file = join(TARGET, `${name}.png`);
  await writeFile(file, await page.screenshot());
  const { size } = await stat(file);
  console.log(`${file}: ${Math.round(size / 1000)} kB`);
  if (size > MOST_BYTES) throw new Error(`${file} is larger than ${MOST_BYTES} bytes.`);
}

import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mutateRun } from '../../packages/salvo/src/app/mutate/mutate-run.ts';
import { openProject } from '../../packages/salvo/src/app/project/open-project.ts';
import { copyExample } from '../../packages/salvo/src/app/project/project-files.ts';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { comparisonsOf } from '../../packages/salvo/src/store/comparison-tables.ts';
import { runExperiment } from '../../packages/salvo-arena/src/app/experiments/run-experiment.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { sampleComparison } from '../sample-comparison.ts';
import { type OpenPage, openPage } from './browser.ts';
import { type ViewerFixture, viewerFixture } from './viewer-fixture.ts';

const EXPERIMENT = { name: 'tiny', tasks: ['website-origin'], blue: ['rules'], difficulty: ['medium'] };

let project: ProjectFixture;
let viewer: ViewerFixture;
let opened: OpenPage;
let page: Page;
/** What stands for them in the addresses below. */
let ids: Record<'RUN' | 'AGAIN' | 'JUDGED' | 'COMPARISON' | 'EXPERIMENT' | 'GAME' | 'MUTATION', string>;

/** A project with results of all kinds, and one page that walks through the viewer. */
beforeAll(async () => {
  project = await projectFixture({ 'experiment.yaml': JSON.stringify(EXPERIMENT) });
  await copyExample(fileURLToPath(new URL('../../examples/support-agent', import.meta.url)), project.root);
  const place = { cwd: project.root, env: {} };
  await using judged = await runFiles({ ...place, files: ['judged/tone.yaml'], trials: 3, seed: 1 });
  // The last two are what the page of comparisons begins with.
  await using run = await runFiles({ ...place, trials: 4, seed: 42 });
  await using again = await runFiles({ ...place, trials: 4, seed: 43 });
  await using played = await runExperiment({ ...place, file: 'experiment.yaml' });
  const mutation = await mutateRun({
    ...place,
    target: 'latest',
    seed: 1,
    maxMutants: 100,
    askJudge: false,
    judgeMutants: false,
  });
  const [game] = await Array.fromAsync(played.games());
  ids = {
    RUN: run.run.run_id,
    AGAIN: again.run.run_id,
    JUDGED: judged.run.run_id,
    COMPARISON: 'comparison1',
    EXPERIMENT: played.experiment.experiment_id,
    GAME: game?.game_id ?? '',
    MUTATION: mutation.mutation_id,
  };
  await using stored = await openProject(place);
  await comparisonsOf(stored.store).saveComparison(sampleComparison({ comparison_id: ids.COMPARISON }));
  viewer = await viewerFixture(project.root);
  // Colours that are still changing have no contrast to speak of.
  opened = await openPage(viewer.url, { reducedMotion: 'reduce' });
  page = opened.page;
  await page.evaluate(axe.source);
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await viewer[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

const PAGES = [
  '/',
  '/runs/where/verdict%20%3D%20fail',
  '/runs/RUN',
  '/runs/RUN/trials/0/0/1',
  '/runs/JUDGED',
  '/runs/JUDGED/trials/0/0/1',
  '/mutations',
  '/mutations/MUTATION',
  '/compare',
  '/compare/RUN/AGAIN',
  '/traces/RUN/0/0/1/with/AGAIN/0/0/1',
  '/labels',
  '/labels/JUDGED',
  '/judges',
  '/judges/compared/COMPARISON',
  '/experiments',
  '/experiments/EXPERIMENT',
  '/experiments/EXPERIMENT/games',
  '/experiments/EXPERIMENT/games/GAME',
  '/nothing',
];

it.each(PAGES)('%s: no obstacle for anybody, in both themes, narrow or wide', async (address) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await go(address);
  expect(await obstacles()).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await obstacles(['color-contrast'])).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  for (const width of [375, 2560]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await tooWide(), `at ${width} px`).toEqual([]);
  }
});

it('shows all columns of the runs in a window of 1280 pixels', async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await go('/');
  const right = (await page.getByRole('region', { name: 'Runs' }).boundingBox()) ?? { x: 0, width: 0 };
  const button = (await page
    .getByRole('button', { name: /^Delete run/ })
    .first()
    .boundingBox()) ?? { x: 2000, width: 0 };
  expect(button.x + button.width).toBeLessThanOrEqual(right.x + right.width);
});

it('has a table behind each reliability diagram, which the keyboard opens', async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await go('/judges');
  await tabTo(ids.COMPARISON);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Which judge?' }).waitFor();
  await tabTo('As a table');
  await page.keyboard.press('Enter');
  const table = page.getByRole('region', { name: 'Reliability of votes' });
  expect(await table.getByRole('row').allTextContents()).toContain('10%1613%2–40%2–43%');
  expect(
    await page.getByRole('img', { name: /^Reliability of votes\. Where it says 10%, people passed 13%/ }).count(),
  ).toBe(1);
  expect(await obstacles()).toEqual([]);
});

it('shows every line of code whole, also in a narrow window: marks are beside it', async () => {
  await page.setViewportSize({ width: 375, height: 800 });
  await go('/experiments/EXPERIMENT/games/GAME');
  const code = page.getByRole('region', { name: /^Code of / });
  await code.getByRole('link').first().waitFor();
  const covered = await code.evaluate((region) =>
    [...region.querySelectorAll('a')].flatMap((mark) => {
      const text = mark.parentElement?.previousElementSibling;
      return text && text.getBoundingClientRect().right > mark.getBoundingClientRect().left ? [text.textContent] : [];
    }),
  );
  expect(covered).toEqual([]);
});

it('says in words why a judge failed trials, in rows that are not tall in a narrow window', async () => {
  await page.setViewportSize({ width: 375, height: 800 });
  await go('/runs/JUDGED');
  const row = page.getByRole('region', { name: 'What failed' }).getByRole('row').nth(1);
  expect(await row.getByRole('cell').last().textContent()).toMatch(/^Trial \d .*: \w+ \d\.\d\d, /);
  expect((await row.boundingBox())?.height).toBeLessThan(160);
});

it('leads from the list of runs to a conversation and to the next failure without a mouse', async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await go('/');
  await tabTo(ids.RUN);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: `Run ${ids.RUN}` }).waitFor();
  await tabTo('Trial 1');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Trial 1' }).waitFor();
  const place = () => page.evaluate('[scrollY, document.activeElement.closest("#content") !== null]');
  await expect.poll(place).toEqual([0, true]);
  await page.keyboard.press('n');
  await page.getByText(/^failure \d+ of \d+$/).waitFor();
});

/** Presses Tab until something with this in its name has the focus. Whatever has it on the way must look so. */
async function tabTo(name: string): Promise<void> {
  for (let presses = 0; presses < 100; presses += 1) {
    await page.keyboard.press('Tab');
    const focused: { name: string; isMarked: boolean } = await page.evaluate(`(() => {
      const { activeElement: at } = document;
      const isControl = at.matches('a, button, input, select, summary');
      const labels = [at, ...at.querySelectorAll('[aria-label]')].map((each) => each.getAttribute('aria-label'));
      const isMarked = !isControl || getComputedStyle(at).outlineStyle !== 'none';
      return { name: isControl ? [...labels, at.textContent].join(' ') : '', isMarked };
    })()`);
    expect(focused).toMatchObject({ isMarked: true });
    if (focused.name.includes(name)) return;
  }
  throw new Error(`Nothing called ${name} can be reached with Tab.`);
}

async function go(address: string): Promise<void> {
  const known = address.replace(/[A-Z]{3,}/g, (word) => (word in ids ? ids[word as keyof typeof ids] : word));
  await page.evaluate(`location.hash = ${JSON.stringify(known)}`);
  await page.locator('h1').waitFor();
  await expect.poll(() => page.getByText('Loading…').count()).toBe(0);
}

/** What axe finds, as one line each. */
async function obstacles(rules?: string[]): Promise<string[]> {
  const options = rules ? { runOnly: { type: 'rule', values: rules } } : {};
  return await page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
      id + ' ' + target.join(' ') + ' ' + failureSummary)))`);
}

/** What makes the page scroll sideways. */
async function tooWide(): Promise<string[]> {
  return await page.evaluate(`document.documentElement.scrollWidth <= innerWidth ? [] :
    [...document.querySelectorAll('main *, header *')].filter((each) => each.getBoundingClientRect().right > innerWidth)
      .map((each) => each.tagName + ' ' + each.className + ' ' + each.textContent.slice(0, 40)).slice(0, 5)`);
}

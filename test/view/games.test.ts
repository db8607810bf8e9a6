import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageAddress } from '../../packages/salvo/src/app/view/find-subject.ts';
import { viewProject, viewResult } from '../../packages/salvo/src/app/view/viewed-project.ts';
import { exportHtml } from '../../packages/salvo/src/server/export/export-html.ts';
import { serveViewer } from '../../packages/salvo/src/server/serve-viewer.ts';
import type { Store } from '../../packages/salvo/src/store/store.ts';
import { runExperiment } from '../../packages/salvo-arena/src/app/experiments/run-experiment.ts';
import { playNamedTeams } from '../../packages/salvo-arena/src/app/games/play-game.ts';
import { scoreFiles } from '../../packages/salvo-arena/src/app/scoring/score-files.ts';
import type { CodeView } from '../../packages/salvo-arena/src/app/view/code-view.ts';
import {
  type ExperimentLines,
  type ExperimentStanding,
  experimentPage,
  type GameLines,
} from '../../packages/salvo-arena/src/app/view/experiment-view.ts';
import type { GameView } from '../../packages/salvo-arena/src/app/view/game-view.ts';
import { viewedGame, viewedScore } from '../../packages/salvo-arena/src/server/result-routes.ts';
import { startCli } from '../cli/cli-fixture.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { openPage } from './browser.ts';
import { DOORS, PAGES, type ViewerFixture, viewerFixture } from './viewer-fixture.ts';

const HOSTILE = '<img src=x onerror="document.title=1">\u202e\u001b[2J';

/** Reports one thing about the first file, in words that try to break a page. */
const SCANNER = `
const finding = { rule_id: 'H1', title: ${JSON.stringify(HOSTILE)}, type: 'network', file: 'main.tf', line: 1,
  evidence: 'x'.repeat(100_000), description: 'javascript:alert(1)' };
console.log(JSON.stringify({ findings: [finding] }));
`;

const EXPERIMENT = `
name: small
tasks: [website-origin]
blue: [rules, "command:node scanner.mjs {dir}", "command:node broken.mjs {dir}"]
difficulty: [easy]
language: [terraform]
seed: 4
`;

const LINES = 20_000;
const LONG_CODE = Array.from({ length: LINES }, (_, index) => `# line ${index + 1}`).join('\n');

let project: ProjectFixture;
let viewer: ViewerFixture;
let experimentId: string;

beforeAll(async () => {
  project = await projectFixture({
    'salvo.yaml': '',
    'scanner.mjs': SCANNER,
    'broken.mjs': 'process.exit(3);',
    'e.yaml': EXPERIMENT,
    'code/main.tf': LONG_CODE,
    'red.json': JSON.stringify([
      { id: 'v1', type: 'network', title: 'SSH is open', severity: 'high', file: 'main.tf', line: 15_000 },
      { id: 'v2', type: 'encryption', title: 'Not encrypted', resource: 'aws_db_instance.a', file: 'main.tf', line: 9 },
    ]),
    'one.json': JSON.stringify([
      { type: 'network', title: 'SSH is open', severity: 'high', file: 'main.tf', line: 15_000 },
    ]),
    'two.json': JSON.stringify([{ type: 'iam', title: HOSTILE, file: '../main.tf', line: 4 }]),
  });
  await using played = await runExperiment({ cwd: project.root, env: { PATH: process.env.PATH }, file: 'e.yaml' });
  experimentId = played.experiment.experiment_id;
  viewer = await viewerFixture(project.root);
});
afterAll(async () => {
  await viewer[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

async function api<Answer>(path: string): Promise<Answer> {
  const response = await viewer.request(`/api${path}`);
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
}

async function gameIdOf(blue: string): Promise<string> {
  const { games } = await api<GameLines>(`/experiments/${experimentId}/games`);
  return games.find((game) => game.blue === blue)?.game_id ?? '';
}

describe('the API', () => {
  it('lists experiments, and says separately how each goes', async () => {
    const { experiments } = await api<ExperimentLines>('/experiments');
    expect(experiments).toMatchObject([{ name: 'small', kind: 'matrix', games_planned: 3, is_running: false }]);
    const standing = await api<ExperimentStanding>(`/experiments/${experimentId.slice(0, 4)}/standing`);
    expect(standing).toMatchObject({ scored: 2, failed: 1, best: { blue: 'rules', recall: 1 } });
  });

  it('says what to start if an experiment waits and no worker is there', async () => {
    await using viewed = await viewProject({ cwd: project.root, readOnly: true });
    const store = await viewed.store();
    const work = { kind: 'experiment', id: experimentId } as const;
    const order = {
      work,
      salvo_version: '1',
      bundle: 'p',
      code: [],
      settings: { labels: [[]], budget_usd: null, files: {}, own: {} },
    };
    const jobs = { work, salvo_version: '1', has_coordinator: true, waiting: 2, active: 0, failed: 0 };
    const queue = {
      orderOf: async () => order,
      workers: async () => [],
      status: async () => ({ orders: [jobs], workers: [] }),
    };
    const held: Store = Object.assign(Object.create(store), { holderOf: async () => ({ stops: 0 }) });
    const waiting: Store = Object.assign(Object.create(held), { workerAccess: { queue } });
    expect(await experimentPage(waiting, experimentId)).toMatchObject({
      is_running: true,
      no_worker: expect.stringContaining('No worker is there. Start one where the work should be done'),
    });
    expect(await experimentPage(held, experimentId)).toMatchObject({ is_running: true, no_worker: null });
  });

  it('pages through games', async () => {
    const first = await api<GameLines>(`/experiments/${experimentId}/games?limit=2`);
    expect(first.games.map(({ status }) => status)).toEqual(['scored', 'scored']);
    const rest = await api<GameLines>(`/experiments/${experimentId}/games?limit=2&offset=${first.next_offset}`);
    expect(rest).toMatchObject({ games: [{ status: 'failed', failed_stage: 'blue', f1: null }], next_offset: null });
  });

  it('has a game with the factors of its matches, and its code as it was played', async () => {
    const path = `/experiments/${experimentId}/games/${await gameIdOf('rules')}`;
    const { match, scores } = await api<GameView>(path);
    const [pair] = match?.pairs.filter(({ outcome }) => outcome === 'exact') ?? [];
    expect(pair?.factors.length).toBeGreaterThan(2);
    expect(match?.findings.find(({ index }) => index === pair?.finding)).toMatchObject({ kind: 'match' });
    expect(match?.flaws.every(({ found_by }) => found_by !== null)).toBe(true);
    expect(match?.findings).toHaveLength((scores?.true_positives ?? 0) + (scores?.false_positives ?? 0));
    const code = await api<CodeView>(`${path}/code`);
    expect(code.missing).toBeNull();
    expect(code.files.map(({ name }) => name)).toEqual(code.twin?.map(({ name }) => name));
    expect(code.files).not.toEqual(code.twin);
    const [place] = match?.flaws[0]?.places ?? [];
    expect(code.files.some(({ name }) => name === place?.file)).toBe(true);
  });

  it('has a page for each id that `salvo view` may be given', async () => {
    await using viewed = await viewProject({ cwd: project.root, env: {} });
    const game = await gameIdOf('rules');
    expect(await pageAddress(viewed, experimentId.slice(0, 6))).toBe(`#/experiments/${experimentId.slice(0, 6)}`);
    for (const words of [game, `${experimentId}/${game}`]) {
      expect(await pageAddress(viewed, words)).toBe(`#/experiments/${experimentId}/games/${game}`);
    }
    expect(await pageAddress(viewed, 'latest')).toBe('#/experiments/latest');
    await expect(pageAddress(viewed, 'no/such')).rejects.toThrow('that begins with "no/such"');
  });

  it.each([
    ['/experiments/nothing', 404],
    ['/experiments/latest/games/nothing', 404],
    ['/experiments/latest/games?offset=x', 400],
    ['/score', 404],
  ])('answers %s with %i and a reason', async (path, status) => {
    const response = await viewer.request(`/api${path}`);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: expect.stringMatching(/\w{3,} .*\./s) });
  });
});

describe('the pages', () => {
  it('lead from the experiments by a cell of the heat map to a game, and show why two were matched', async () => {
    await using opened = await openPage(`${viewer.url}#/experiments`);
    const { page } = opened;
    await page.getByText('3 of 3').waitFor();
    await page.getByText('1 failed').waitFor();
    await page.getByRole('link', { name: 'small' }).click();
    await page.getByRole('heading', { name: 'Which Blue is better?' }).waitFor();
    const matrix = page.getByRole('region', { name: 'Red against Blue' });
    expect(await matrix.getByRole('columnheader').allTextContents()).toEqual([
      'Red',
      'rules',
      'command:node scanner.mjs {dir}',
      'command:node broken.mjs {dir}',
    ]);
    await page.getByRole('button', { name: 'F1 by twin' }).click();
    await page.locator('button[aria-pressed=true]').getByText('F1 by twin').waitFor();
    await matrix.getByRole('link').first().click();
    await page.getByText('1 of 3 games').waitFor();
    await page.getByLabel('blue team').selectOption('');
    await page.getByText('3 of 3 games').waitFor();
    await page.getByLabel('outcome').selectOption('all found');
    await page.getByRole('row').getByRole('link', { name: 'website-origin' }).click();
    const why = page.getByRole('complementary', { name: 'Why' });
    await why.getByText('caught').first().waitFor();
    await why.getByText('Matched, exactly.').waitFor();
    const rows = why.locator('details[open] tbody tr');
    expect(await rows.count()).toBeGreaterThan(2);
    await page
      .getByRole('link', { name: /^match: / })
      .first()
      .click();
    await why.getByText('not reported there').waitFor();
    await expect.poll(() => new URL(page.url()).hash).toMatch(/\/finding\/\d+$/);
    const code = page.getByRole('region', { name: /^Code of / });
    await code
      .getByRole('link', { name: /, caught, line / })
      .first()
      .click();
    await why.getByRole('heading', { name: /^V\d/ }).waitFor();
    await page.getByLabel('Only what differs from the clean twin').check();
    await code.getByText('lines are the same').first().waitFor();
    await code.getByText('only in the twin:').first().waitFor();
  });

  it('show what a hostile scanner wrote as text, and why a game failed', async () => {
    const game = await gameIdOf('command:node scanner.mjs {dir}');
    await using opened = await openPage(`${viewer.url}#/experiments/${experimentId}/games/${game}/finding/0`);
    const { page } = opened;
    const why = page.getByRole('complementary', { name: 'Why' });
    await why.getByText('<img src=x onerror="document.title=1">⟨U+202E⟩␛[2J').waitFor();
    await why.getByText('Not matched').first().waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.title()).not.toBe('1');
    const failed = await gameIdOf('command:node broken.mjs {dir}');
    await page.goto(`${viewer.origin}/#/experiments/${experimentId}/games/${failed}`);
    await page.getByRole('heading', { name: 'Why it failed' }).waitFor();
    await page.getByText('exit code 3').waitFor();
  });
});

describe('an HTML file', () => {
  async function exported(what: string): Promise<string> {
    const parts: string[] = [];
    await using stored = await viewProject({ cwd: project.root, env: {}, readOnly: true });
    const options = { viewed: stored, what: [what], trials: 'all' as const, pages: PAGES, doors: DOORS };
    await exportHtml(options, async (html) => void parts.push(html));
    await writeFile(project.path('games.html'), parts.join(''));
    return pathToFileURL(project.path('games.html')).href;
  }

  it('has an experiment with its games, their code and the reasons of matches, without any connection', async () => {
    await using opened = await openPage(await exported(experimentId), { offline: true });
    const { page } = opened;
    await page.getByRole('heading', { name: 'Which Blue is better?' }).waitFor();
    await expect.poll(() => new URL(page.url()).hash).toBe(`#/experiments/${experimentId}`);
    await page.getByRole('region', { name: 'Red against Blue' }).getByRole('link').first().click();
    await page.getByRole('row').getByRole('link', { name: 'website-origin' }).click();
    await page.getByText('Matched, exactly.').first().waitFor();
    await page.getByText('By the twin: a finding that is also on').waitFor();
    await page
      .getByRole('region', { name: /^Code of / })
      .getByRole('link')
      .first()
      .waitFor();
  });

  it('has one game, and says what it does not have', async () => {
    const game = await gameIdOf('command:node scanner.mjs {dir}');
    await using opened = await openPage(await exported(`${experimentId}/${game}`), { offline: true });
    const { page } = opened;
    await page.getByRole('heading', { name: 'mutation against command:node scanner.mjs {dir}' }).waitFor();
    await page.getByText('<img src=x onerror="document.title=1">').first().waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await page.goto(`${page.url().split('#')[0]}#/experiments/${experimentId}/games/${await gameIdOf('rules')}`);
    await page.getByText('This file does not contain it.').waitFor();
  });
});

it('salvo game --view shows a game that is not stored, with its code', async () => {
  const { played } = await playNamedTeams({ cwd: project.root, task: 'website-origin', seed: 4, difficulty: 'hard' });
  const game = viewResult(viewedGame({ played, matcher: 'evidence' }));
  await using single = await serveViewer(game, { pages: PAGES, doors: DOORS });
  await using opened = await openPage(`${single.url}#/game`);
  const { page } = opened;
  await page.getByRole('heading', { name: 'mutation against rules' }).waitFor();
  await page
    .getByRole('link', { name: /, evaded, line / })
    .first()
    .waitFor();
  expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()).toEqual(['Game']);
  const current = page.locator('[aria-current=true]');
  const first = await current.textContent();
  await page.keyboard.press('n');
  await expect.poll(() => current.textContent()).not.toBe(first);
  await page.keyboard.press('p');
  await expect.poll(() => current.textContent()).toBe(first);
});

describe('salvo score --view', () => {
  it('compares reports, and shows a mark in the middle of a file of 20,000 lines', async () => {
    const sheet = await scoreFiles({
      cwd: project.root,
      red: 'red.json',
      blue: ['one.json', 'two.json'],
      source: 'code',
    });
    await using score = await serveViewer(viewResult(viewedScore(sheet)), { pages: PAGES, doors: DOORS });
    await using opened = await openPage(`${score.url}#/score`);
    const { page } = opened;
    const cells = page.getByRole('region', { name: 'Who found what' }).getByRole('link');
    await cells.first().waitFor();
    expect(await cells.evaluateAll((links) => links.map((link) => link.getAttribute('aria-label')))).toEqual([
      'v1, one.json: caught',
      'v1, two.json: evaded',
      'v2, one.json: evaded',
      'v2, two.json: evaded',
    ]);
    await cells.first().click();
    const code = page.getByRole('region', { name: 'Code of main.tf' });
    await code.getByText('# line 15000', { exact: true }).waitFor();
    await code.getByRole('link', { name: 'v1, caught, line 15000' }).waitFor();
    expect(await code.locator('div').count()).toBeLessThan(200);
    expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()).toEqual(['Score']);
    await page.getByRole('link', { name: 'two.json' }).click();
    await page.getByRole('link', { name: /^false alarm: / }).click();
    await code.getByText('# line 4', { exact: true }).waitFor();
  });

  it('prints the scores, serves until it is stopped, and ends with the exit code of the score', async () => {
    const args = ['score', '--red', 'red.json', '--blue', 'one.json', '--min-recall', '90%', '--json', '--view'];
    const { child, result, untilStderrHas } = startCli(args, { cwd: project.root });
    await untilStderrHas('#/score');
    child.kill('SIGINT');
    const { code, stdout, stderr } = await result;
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ recall: 0.5 });
    expect(stderr).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+#\/score$/m);
  });
});

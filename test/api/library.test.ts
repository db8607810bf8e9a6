import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  compareRuns,
  deleteRun,
  formatComparison,
  formatRun,
  listRuns,
  openRun,
  type RunFormat,
  resumeRun,
  runDocumentSchema,
  runFiles,
  startViewer,
} from '../../packages/salvo/src/index.ts';
import {
  deleteExperiment,
  formatExperiment,
  formatGame,
  formatScore,
  listExperiments,
  openExperiment,
  playGame,
  runExperiment,
  scoreFiles,
} from '../../packages/salvo-arena/src/index.ts';
import { runCli } from '../cli/cli-fixture.ts';
import { sampleScenario, variedScript } from '../cli/sample-scenario.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';

const JUDGE_AGENT = fileURLToPath(new URL('../../examples/judge-agent', import.meta.url));
let project: ProjectFixture;
const place = () => ({ cwd: project.root, env: {} });

beforeAll(async () => {
  project = await projectFixture({
    'scenarios/s.yaml': sampleScenario({ script: variedScript(), min_pass_rate: 0 }),
    'experiment.yaml': 'name: e\ntasks: [website-origin]\nred: [mutation]\nblue: [rules]\nseed: 1\n',
  });
  for (const seed of [1, 2]) {
    await using finished = await runFiles({ ...place(), trials: 4, seed });
    expect(finished.outcome.exitCode).toBe(0);
  }
});
afterAll(() => project[Symbol.asyncDispose]());

describe('a run as a text', () => {
  const formatted = async (format: RunFormat) => {
    await using run = await openRun({ ...place(), run: 'latest' });
    return await formatRun(run, { format });
  };

  test.each([
    ['terminal', ['report', 'latest']],
    ['json', ['report', 'latest', '--json']],
  ] as const)('is in the format %s what the command line prints', async (format, args) => {
    const { stdout } = await runCli([...args], { cwd: project.root, env: { COLUMNS: '100' } });
    expect(await formatted(format)).toBe(stdout);
  });

  test.each(['junit', 'markdown', 'csv'] as const)(
    'is in the format %s what the command line writes',
    async (format) => {
      await runCli(['report', 'latest', `--${format}`, 'out'], { cwd: project.root });
      expect(await formatted(format)).toBe(await readFile(project.path('out'), 'utf8'));
    },
  );

  test('says right after the run what is not stored', async () => {
    const { run_id: base } = (await listRuns(place()))[1] ?? { run_id: '' };
    await using finished = await runFiles({ ...place(), trials: 4, seed: 2, against: base });
    const markdown = await formatRun(finished, { format: 'markdown', full: true });
    expect(markdown).toContain(`run ${finished.run.run_id}`);
    expect(markdown).toContain(`Base ${base} `);
    expect(runDocumentSchema.safeParse(JSON.parse(await formatRun(finished, { format: 'json' }))).success).toBe(true);
    await deleteRun({ ...place(), run: finished.run.run_id });
  });
});

test('a comparison is formatted as the command line prints it', async () => {
  const comparison = await compareRuns(place());
  const { stdout } = await runCli(['compare', '--markdown', 'out'], { cwd: project.root, env: { COLUMNS: '100' } });
  expect(await formatComparison(comparison, { format: 'terminal' })).toBe(stdout);
  expect(await formatComparison(comparison, { format: 'markdown' })).toBe(await readFile(project.path('out'), 'utf8'));
});

test('a score is formatted as the command line prints and writes it', async () => {
  const files = { red: 'manifest.json', blue: ['checkov.json', 'trivy.json'] };
  const sheet = await scoreFiles({ cwd: JUDGE_AGENT, env: {}, ...files });
  const args = ['score', '--red', files.red, '--blue', ...files.blue];
  const written = ['--markdown', project.path('s.md'), '--sarif', project.path('s.sarif')];
  const shown = await runCli([...args, ...written], { cwd: JUDGE_AGENT, env: { COLUMNS: '100' } });
  expect(await formatScore(sheet, { format: 'terminal' })).toBe(shown.stdout);
  // Users of the library have options, and no flags.
  expect(shown.stdout).not.toMatch(/(?:^|[ (])--[a-z]/m);
  expect(await formatScore(sheet, { format: 'markdown' })).toBe(await readFile(project.path('s.md'), 'utf8'));
  expect(await formatScore(sheet, { format: 'sarif' })).toBe(await readFile(project.path('s.sarif'), 'utf8'));
  const { stdout } = await runCli([...args, '--json'], { cwd: JUDGE_AGENT });
  expect(await formatScore(sheet, { format: 'json' })).toBe(stdout);
});

test('a game is formatted as the command line prints and writes it, and has no SARIF if it failed', async () => {
  const game = await playGame({ ...place(), seed: 7, difficulty: 'hard' });
  const args = ['game', '--seed', '7', '--difficulty', 'hard', '--sarif', 'g.sarif'];
  const { stdout } = await runCli(args, { cwd: project.root, env: { COLUMNS: '100' } });
  const withoutTime = (text: string) => text.replace(/[\d.]+ ?m?s\b/g, 'TIME');
  expect(withoutTime(await formatGame(game, { format: 'terminal' }))).toBe(withoutTime(stdout));
  expect(stdout).not.toMatch(/(?:^|[ (])--[a-z]/m);
  expect(await formatGame(game, { format: 'sarif' })).toBe(await readFile(project.path('g.sarif'), 'utf8'));
  const document = JSON.parse(await formatGame(game, { format: 'json' }));
  expect(document).toMatchObject({ version: 1, seed: 7, winner: 'red', gate: game.gate });
  const failed = await playGame({ ...place(), seed: 7, blue: () => Promise.reject(new Error('it broke')) });
  expect(await formatGame(failed, { format: 'terminal' })).toContain('Blue failed');
  await expect(formatGame(failed, { format: 'sarif' })).rejects.toMatchObject({ code: 'GAME_UNSCORED' });
});

test('runs and experiments are run, resumed, listed, opened, formatted and deleted by the same verbs', async () => {
  await using run = await runFiles({ ...place(), trials: 1 });
  await using resumedRun = await resumeRun({ ...place(), run: run.run.run_id });
  expect(resumedRun.run.run_id).toBe(run.run.run_id);
  await using experiment = await runExperiment({ ...place(), file: 'experiment.yaml' });
  const { experiment_id } = experiment.experiment;

  expect((await listRuns({ ...place(), limit: 1 })).map(({ run_id }) => run_id)).toEqual([run.run.run_id]);
  expect((await listExperiments({ ...place(), limit: 1 })).map((each) => each.experiment_id)).toEqual([experiment_id]);
  {
    await using openedRun = await openRun({ ...place(), run: 'latest' });
    expect(await Array.fromAsync(openedRun.trials())).toHaveLength(1);
    await using openedExperiment = await openExperiment({ ...place(), experiment: 'latest' });
    const games = await Array.fromAsync(openedExperiment.games());
    const lines = (await formatExperiment(openedExperiment, { format: 'jsonl' })).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).game_id)).toEqual(games.map(({ game_id }) => game_id));
    expect(await formatExperiment(openedExperiment, { format: 'terminal' })).toContain('rules');
    for (const format of ['markdown', 'latex', 'csv'] as const) {
      expect((await formatExperiment(openedExperiment, { format })).length).toBeGreaterThan(100);
    }
  }
  await deleteRun({ ...place(), run: run.run.run_id });
  await deleteExperiment({ ...place(), experiment: experiment_id });
  await expect(openRun({ ...place(), run: run.run.run_id })).rejects.toMatchObject({ name: 'SalvoError' });
  expect(await listExperiments(place())).toEqual([]);
});

describe('startViewer', () => {
  test('serves until it is disposed of, to whoever has the token', async () => {
    const viewer = await startViewer({ ...place(), target: 'latest' });
    expect(viewer.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+#\/runs\/latest$/);
    expect(viewer.urlsElsewhere).toEqual([]);
    expect((await fetch(`${viewer.origin}/api/runs`)).status).toBe(401);
    const entered = await fetch(viewer.url, { redirect: 'manual' });
    const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const answer = await fetch(`${viewer.origin}/api/runs`, { headers: { cookie } });
    expect(await answer.json()).toMatchObject({ total: 2 });
    await viewer[Symbol.asyncDispose]();
    await expect(fetch(viewer.origin)).rejects.toThrow();
  });

  test('allows nobody to change anything if others can connect', async () => {
    await using viewer = await startViewer({ ...place(), host: '0.0.0.0' });
    expect(viewer.rights).toEqual([]);
    await using local = await startViewer(place());
    expect(local.rights.length).toBeGreaterThan(0);
  });

  test('leaves nothing open if the target is unknown', async () => {
    await expect(startViewer({ ...place(), target: 'nope' })).rejects.toThrow('begins with "nope"');
  });
});

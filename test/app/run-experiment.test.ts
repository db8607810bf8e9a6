import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { benchScanner } from '../../packages/salvo-arena/src/app/experiments/bench-scanner.ts';
import {
  estimateExperiment,
  resumeExperiment,
  runExperiment,
} from '../../packages/salvo-arena/src/app/experiments/run-experiment.ts';
import { listExperiments, openExperiment } from '../../packages/salvo-arena/src/app/experiments/stored-experiments.ts';
import { projectFixture } from '../project-fixture.ts';

const EXPERIMENT = 'name: small\ntasks: { sample: 2 }\nsize: 10\ndifficulty: [easy, hard]\nconcurrency: 1\n';
const project = () => projectFixture({ 'e.yaml': EXPERIMENT });

describe('an experiment as a library calls it', () => {
  test('is played, its games and results are read from the handle, and it is listed and opened again', async () => {
    await using files = await project();
    expect(await listExperiments({ cwd: files.root })).toEqual([]);
    await expect(openExperiment({ cwd: files.root, experiment: 'latest' })).rejects.toMatchObject({
      code: 'EXPERIMENTS_MISSING',
    });
    const finished: string[] = [];
    await using played = await runExperiment({
      cwd: files.root,
      file: 'e.yaml',
      onEvent: (event) => {
        if (event.type === 'game_finished') finished.push(event.game.game_id);
      },
    });
    expect(played.experiment).toMatchObject({ name: 'small', status: 'finished' });
    const games = await Array.fromAsync(played.games());
    expect(games.map(({ game_id }) => game_id)).toEqual(finished);
    expect((await played.results()).games).toEqual({ planned: 4, scored: 4, failed: 0, missing: 0 });
    expect(await played.scorecard()).toBeNull();
    expect(await listExperiments({ cwd: files.root })).toEqual([played.experiment]);
    await using opened = await openExperiment({ cwd: files.root, experiment: 'latest' });
    expect(await opened.results()).toEqual(await played.results());
  });

  test('is stopped and resumed: only what is missing is played, with the results of one go', async () => {
    await using files = await project();
    const stop = new AbortController();
    const scores = async (opened: Awaited<ReturnType<typeof runExperiment>>) =>
      (await Array.fromAsync(opened.games())).map(({ code_key, seed, scores: each }) => ({ code_key, seed, each }));
    await using first = await runExperiment({
      cwd: files.root,
      file: 'e.yaml',
      stop: stop.signal,
      onEvent: ({ type }) => {
        if (type === 'game_finished') stop.abort();
      },
    });
    expect(first.experiment.status).toBe('interrupted');
    expect((await first.results()).games).toMatchObject({ scored: 1, missing: 3 });

    const earlier: number[] = [];
    let started = 0;
    await using resumed = await resumeExperiment({
      cwd: files.root,
      experiment: 'latest',
      onEvent: (event) => {
        if (event.type === 'experiment_started') earlier.push(event.earlier);
        if (event.type === 'game_started') started += 1;
      },
    });
    expect({ earlier, started }).toEqual({ earlier: [1], started: 3 });
    expect(resumed.experiment).toMatchObject({ experiment_id: first.experiment.experiment_id, status: 'finished' });

    await using fresh = await project();
    await using whole = await runExperiment({ cwd: fresh.root, file: 'e.yaml' });
    expect(await scores(resumed)).toEqual(await scores(whole));
  });

  test('is estimated from its file, without a store', async () => {
    await using files = await project();
    const estimate = await estimateExperiment({ cwd: files.root, file: 'e.yaml' });
    expect(estimate).toMatchObject({ games: 4, codes: 4, model_calls: 0, cost_usd: 0, seconds: null });
    expect(existsSync(files.path('.salvo'))).toBe(false);
  });

  test('that could never be played leaves nothing behind', async () => {
    await using files = await projectFixture({
      'model.yaml': 'name: n\ntasks: { sample: 1 }\nblue: [llm:gpt-5]\n',
      'scanner.yaml': 'name: n\ntasks: { sample: 1 }\nblue: [kics]\n',
    });
    const run = (file: string) => runExperiment({ cwd: files.root, env: { PATH: '/nowhere' }, file });
    await expect(run('model.yaml')).rejects.toMatchObject({ code: 'ADAPTER_NOT_READY' });
    await expect(run('scanner.yaml')).rejects.toMatchObject({ code: 'SCANNER_MISSING' });
    expect(existsSync(files.path('.salvo'))).toBe(false);
  });
});

describe('benchScanner', () => {
  test('looks at flawed and at clean code, and returns a scorecard', async () => {
    await using files = await projectFixture();
    await using played = await benchScanner({ cwd: files.root, scanner: 'rules', tasks: 1 });
    const card = await played.scorecard();
    expect(card?.games).toEqual({ planned: 3, scored: 3, failed: 0, missing: 0 });
    expect(card?.overall.flaws).toBeGreaterThan(0);
    expect(card?.overall.resources).toBeGreaterThan(0);
  });

  test('refuses a scanner that is unknown', async () => {
    await using files = await projectFixture();
    await expect(benchScanner({ cwd: files.root, scanner: 'magic' })).rejects.toMatchObject({ code: 'BLUE_UNKNOWN' });
  });
});

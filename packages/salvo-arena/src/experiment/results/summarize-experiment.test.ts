import { describe, expect, test } from 'vitest';
import {
  failedGame,
  sampleExperiment,
  sampleGame,
  samplePlan,
  sampleScores,
} from '../../../test/arena-experiment/sample-experiment.ts';
import { experimentCost } from './experiment-cost.ts';
import { summarizeExperiment } from './summarize-experiment.ts';

const plan = samplePlan({ blue: ['rules', 'checkov'] });
const experiment = sampleExperiment({ plan });

describe('an experiment', () => {
  // Code 1: rules 3 of 4 with 1 alarm, checkov failed. Code 2: rules 0 of 1 with nothing, checkov 1 of 1.
  const games = [
    sampleGame({ game_id: 'g1', scores: sampleScores([true, true, true, false], 1) }),
    failedGame({ game_id: 'g2', blue: 'checkov' }),
    sampleGame({ game_id: 'g3', code_key: 'code-2', task: 'two', scores: sampleScores([false]) }),
    sampleGame({ game_id: 'g4', code_key: 'code-2', task: 'two', blue: 'checkov', scores: sampleScores([true]) }),
  ];

  test('pools games, and averages them', async () => {
    const { blues } = await summarizeExperiment(experiment, games);
    expect(blues[0]).toMatchObject({ blue: 'rules', games: 2, vulnerabilities: 5, found: 3, false_alarms: 1 });
    expect(blues[0]?.pooled.recall.value).toBeCloseTo(3 / 5);
    expect(blues[0]?.pooled.precision.value).toBeCloseTo(3 / 4);
    expect(blues[0]?.pooled.f1.value).toBeCloseTo(2 / 3);
    expect(blues[0]?.pooled.evasion.value).toBeCloseTo(2 / 5);
    expect(blues[0]?.average.recall.value).toBeCloseTo((0.75 + 0) / 2);
    expect(blues[0]?.average.f1.value).toBeCloseTo((0.75 + 0) / 2);
    expect(blues[0]?.false_positive_rate.value).toBeCloseTo(2 / 8);
    expect(blues[0]?.youden_j.value).toBeCloseTo(3 / 5 - 1 / 4);
  });

  test('counts a failed game as failed, never as one in which nothing was found', async () => {
    const results = await summarizeExperiment(experiment, games);
    expect(results.games).toEqual({ planned: 4, scored: 3, failed: 1, missing: 0 });
    expect(results.blues[1]).toMatchObject({ blue: 'checkov', games: 1, found: 1, vulnerabilities: 1 });
    expect(results.failed).toMatchObject([{ game_id: 'g2', failed_stage: 'blue', error: 'the scanner broke' }]);
    expect(results.comparisons).toMatchObject([{ first: 'rules', second: 'checkov', games: 1, only_second: 1 }]);
  });

  test('breaks down by category, technique, and the cells of its matrix', async () => {
    const results = await summarizeExperiment(experiment, games);
    expect(results.categories).toMatchObject([
      { blue: 'rules', group: 'iam', vulnerabilities: 3, found: 2 },
      { blue: 'rules', group: 'network', vulnerabilities: 2, found: 1 },
      { blue: 'checkov', group: 'iam', vulnerabilities: 1, found: 1 },
    ]);
    expect(results.techniques).toMatchObject([{ group: 'plain_edit', vulnerabilities: 5 }, { blue: 'checkov' }]);
    expect(results.cells.map(({ blue, games: count }) => [blue, count])).toEqual([
      ['rules', 2],
      ['checkov', 1],
    ]);
    expect(results.pairings).toHaveLength(2);
  });

  test('has metrics for each dimension that varies, and cells in the order of the plan whatever fails', async () => {
    const varied = sampleExperiment({ plan: samplePlan({ blue: ['rules', 'checkov'], difficulty: ['easy', 'hard'] }) });
    const list = [
      failedGame({ game_id: 'g1', blue: 'rules', difficulty: 'easy' }),
      sampleGame({ game_id: 'g2', blue: 'checkov', difficulty: 'easy', scores: sampleScores([true]) }),
      sampleGame({ game_id: 'g3', code_key: 'c2', blue: 'rules', difficulty: 'hard', scores: sampleScores([false]) }),
      sampleGame({ game_id: 'g4', code_key: 'c2', blue: 'checkov', difficulty: 'hard', scores: sampleScores([true]) }),
      sampleGame({ game_id: 'g5', code_key: 'c3', blue: 'rules', difficulty: 'easy', scores: sampleScores([true]) }),
    ];
    const { dimensions, cells, blues } = await summarizeExperiment(varied, list);
    expect(dimensions).toMatchObject([
      { dimension: 'difficulty', value: 'easy', blue: 'rules', games: 1, found: 1 },
      { dimension: 'difficulty', value: 'easy', blue: 'checkov', games: 1, found: 1 },
      { dimension: 'difficulty', value: 'hard', blue: 'rules', games: 1, found: 0 },
      { dimension: 'difficulty', value: 'hard', blue: 'checkov', games: 1, found: 1 },
    ]);
    expect(cells.map(({ difficulty, blue }) => `${difficulty} ${blue}`)).toEqual([
      'easy rules',
      'easy checkov',
      'hard rules',
      'hard checkov',
    ]);
    expect(blues.map(({ blue }) => blue)).toEqual(['rules', 'checkov']);
  });

  test('has no precision for a Blue that reported nothing', async () => {
    const silent = [0, 1].map((index) =>
      sampleGame({ game_id: `g${index}`, code_key: `c${index}`, scores: sampleScores([false]) }),
    );
    const { overall } = await summarizeExperiment(experiment, silent);
    expect(overall.pooled.precision).toEqual({ value: null, interval: null });
    expect(overall.pooled.recall.value).toBe(0);
    expect(overall.pooled.f1.value).toBe(0);
  });

  test('counts a manifest once, however many Blues were scored against it', async () => {
    const withPhantoms = games.map((game) => ({ ...game, claimed: 4, confirmed: 3, phantoms: 1 }));
    const { manifests } = await summarizeExperiment(experiment, withPhantoms);
    expect(manifests).toMatchObject([{ red: 'mutation', codes: 2, claimed: 8, confirmed: 6, phantoms: 2 }]);
    expect(manifests[0]?.accuracy.value).toBe(0.75);
  });

  test('gives the same results every time, intervals included', async () => {
    expect(await summarizeExperiment(experiment, games)).toEqual(await summarizeExperiment(experiment, games));
  });

  test('has no cost when one part of it is unknown, and says what is known', async () => {
    const games = [
      sampleGame({ red_cost_usd: 0.25, blue_cost_usd: 0.5 }),
      sampleGame({ game_id: 'g2', blue_cost_usd: null, blue_cost_at_least: { usd: 1, calls_unknown: 2 } }),
      sampleGame({ game_id: 'g3', blue_cost_usd: null }),
    ];
    const results = await summarizeExperiment(experiment, games, { lostUsd: 0.125 });
    const known = { lost: 0.125, known: 1.875, calls_unknown: 2 };
    expect(results.cost_usd).toEqual({ red: 0.25, blue: null, judge: 0, ...known });
    expect(experimentCost(results)).toEqual({ usd: null, at_least: { usd: 1.875, calls_unknown: 2 } });
  });
});

test('an experiment without games has no metrics', async () => {
  const results = await summarizeExperiment(experiment, []);
  expect(results.games).toEqual({ planned: 4, scored: 0, failed: 0, missing: 4 });
  expect(results.overall.pooled.recall).toEqual({ value: null, interval: null });
  expect(results).toMatchObject({ blues: [], cells: [], categories: [], comparisons: [], failed: [] });
});

test('with ten or more structures, the games of a structure are resampled together', async () => {
  const games = (structures: number) =>
    Array.from({ length: 30 }, (_, index) =>
      sampleGame({ game_id: `g${index}`, code_key: `code-${index}`, structure: `s${Math.min(index, structures - 1)}` }),
    );
  const many = await summarizeExperiment(experiment, games(11));
  expect(many).toMatchObject({ clustered_by: 'structure', overall: { clusters: 11 }, structures: { count: 11 } });
  // Ten structures with one game, and one with twenty.
  expect(many.structures.effective).toBeCloseTo(900 / 410);
  expect(many.overall.effective_clusters).toBeCloseTo(900 / 410);
  const few = await summarizeExperiment(experiment, games(3));
  expect(few).toMatchObject({ clustered_by: 'code', overall: { clusters: 30 }, structures: { count: 3 } });
});

test('games of earlier versions have the structure of their template, and code of a model that of its task', async () => {
  const games = Array.from({ length: 12 }, (_, index) =>
    sampleGame({
      code_key: `code-${index}`,
      ...(index < 6 ? { template: `t${index}` } : { template: null, task: `x${index}` }),
    }),
  );
  expect(await summarizeExperiment(experiment, games)).toMatchObject({
    clustered_by: 'structure',
    structures: { count: 12 },
  });
});

test('the runs of a Blue on the same code say what it finds always, sometimes and never', async () => {
  const plan = samplePlan({ blue: ['llm:m', 'rules'], runs: 2 });
  const found = [
    [true, true, false],
    [true, false, false],
  ];
  const games = found.flatMap((each, run) => [
    sampleGame({
      game_id: `g${run}`,
      blue: 'llm:m',
      run,
      scores: sampleScores(each, run),
      blue_cost_usd: 0.5,
      blue_seconds: 3,
    }),
    sampleGame({ game_id: `h${run}`, blue: 'rules', run, scores: sampleScores([true, true, true]), blue_seconds: 0 }),
  ]);
  const results = await summarizeExperiment(sampleExperiment({ plan }), games, { beta: 2 });
  expect(results.runs).toMatchObject([
    { blue: 'llm:m', runs: 2, codes: 1, always: 1, sometimes: 1, never: 1 },
    { blue: 'rules', always: 3, sometimes: 0, never: 0, recall: { mean: 1, sd: 0 } },
  ]);
  expect(results.runs[0]?.recall?.mean).toBeCloseTo(0.5);
  expect(results.runs[0]?.recall?.sd).toBeCloseTo(Math.SQRT1_2 / 3);
  // Only the first run is compared with the other Blue.
  expect(results.comparisons).toMatchObject([{ games: 1, vulnerabilities: 3, only_second: 1 }]);
  expect(results.efforts[0]).toMatchObject({
    findings: 4,
    matches: 3,
    cost_usd: 1,
    cost_per_finding_usd: 0.25,
    seconds: 6,
  });
  expect(results.efforts[0]?.cost_per_match_usd).toBeCloseTo(1 / 3);
  // Precision 3 of 4, recall 3 of 6.
  expect(results.blues[0]?.f_beta.value).toBeCloseTo((5 * 0.75 * 0.5) / (4 * 0.75 + 0.5));
});

test('precision by the twin is given where Blue looked at it in all games, and is used if all Blues did', async () => {
  const scores = (alarms: number, consequences: number) => sampleScores([true, false], alarms, { consequences });
  const game = (blue: string, index: number, change: Parameters<typeof sampleGame>[0]) =>
    sampleGame({ game_id: `g${index}`, code_key: `code-${index}`, blue, ...change });
  const looked = [game('rules', 1, { scores: scores(3, 2) }), game('rules', 2, { scores: scores(1, 1) })];
  const all = await summarizeExperiment(sampleExperiment(), looked);
  expect(all.precision_used).toBe('twin');
  // Two found, one false alarm by the twin; four classic ones.
  expect(all.blues).toMatchObject([{ consequences: 3, by_twin: { false_alarms: 1, precision: { value: 2 / 3 } } }]);
  expect(all.blues[0]?.pooled.precision.value).toBeCloseTo(1 / 3);
  expect(all.blues[0]?.by_twin?.f1.value).toBeCloseTo((0.5 + 2 / 3) / 2);

  const model = game('llm:m', 2, { scores: sampleScores([true, true]) });
  const plan = samplePlan({ blue: ['rules', 'llm:m'] });
  const mixed = await summarizeExperiment(sampleExperiment({ plan }), [...looked, model]);
  expect(mixed.precision_used).toBe('classic');
  expect(mixed.blues.map(({ by_twin }) => by_twin === null)).toEqual([false, true]);
  expect(mixed.comparisons).toMatchObject([{ precision_used: 'classic' }]);
});

import { expect, test } from 'vitest';
import {
  failedGame,
  sampleExperiment,
  sampleGame,
  sampleScores,
} from '../../../test/arena-experiment/sample-experiment.ts';
import { buildScorecard } from './scorecard.ts';

const experiment = sampleExperiment({ kind: 'scanner' });
/** Vulnerabilities are of iam and network in turn, and the clean twin has ten resources. */
const game = (task: string, found: boolean[], flagged: Record<string, number>, alarms = 0) =>
  sampleGame({ task, scores: sampleScores(found, alarms, { flagged }) });

test('recall counts flaws, the false-positive rate clean resources with an alarm', async () => {
  const games = [game('one', [true, true], { iam: 5 }, 7), game('two', [true, false], {})];
  const card = await buildScorecard(experiment, games);
  expect(card.categories).toMatchObject([
    { category: 'iam', flaws: 2, found: 2, resources: 20, flagged_resources: 5, youden_j: { value: 0.75 } },
    { category: 'network', flaws: 2, found: 1, flagged_resources: 0, youden_j: { value: 0.5 } },
  ]);
  expect(card.score.value).toBe(0.625);
  expect(card.overall).toMatchObject({
    flaws: 4,
    recall: { value: 0.75 },
    false_positive_rate: { value: 0.25 },
    youden_j: { value: 0.5 },
    alarms: 7,
    alarms_per_100_resources: 35,
  });
});

test('there is a row for each difficulty and each language', async () => {
  const games = [
    game('one', [true], {}),
    { ...game('one', [false], { iam: 10 }), language: 'cloudformation' as const, difficulty: 'hard' as const },
  ];
  const card = await buildScorecard(experiment, games);
  expect(card.languages).toMatchObject([
    { language: 'terraform', youden_j: { value: 1 } },
    { language: 'cloudformation', youden_j: { value: -1 } },
  ]);
  expect(card.difficulties).toMatchObject([{ difficulty: 'medium' }, { difficulty: 'hard', flagged_resources: 10 }]);
});

test('categories count alike in the score, however many flaws they have', async () => {
  const card = await buildScorecard(experiment, [game('one', [true, false, true, false, true], {})]);
  // iam 3 of 3, network 0 of 2.
  expect(card.score.value).toBe(0.5);
  expect(card.overall.youden_j.value).toBe(0.6);
});

test('a scanner that reports everything everywhere is worse than one that reports nothing', async () => {
  const everywhere = await buildScorecard(experiment, [game('one', [false, false], { iam: 10, network: 10 }, 99)]);
  const silent = await buildScorecard(experiment, [game('one', [false, false], {})]);
  expect([everywhere.score.value, silent.score.value]).toEqual([-1, 0]);
});

test('an alarm of an unknown category counts for every category', async () => {
  const card = await buildScorecard(experiment, [game('one', [true, true], { unclassified: 10 })]);
  expect(card.categories.map(({ youden_j }) => youden_j.value)).toEqual([0, 0]);
});

test('a failed game does not count, and the error is listed', async () => {
  const games = [failedGame({ error: 'it hung' }), failedGame({ task: 'two' }), sampleGame({ task: 'three' })];
  const card = await buildScorecard(experiment, games);
  expect(card).toMatchObject({ overall: { flaws: 0 }, games: { scored: 1, failed: 2 }, score: { value: null } });
  expect(card.errors).toEqual(['it hung', 'the scanner broke']);
});

import { expect, test } from 'vitest';
import {
  failedGame,
  sampleExperiment,
  sampleGame,
  samplePlan,
  sampleScores,
} from '../../../../test/arena-experiment/sample-experiment.ts';
import { TWIN_RED } from '../../red/red-team.ts';
import { buildScorecard } from './scorecard.ts';

const experiment = sampleExperiment({ kind: 'scanner', plan: samplePlan({ red: ['mutation', TWIN_RED] }) });
/** Vulnerabilities are of iam and network in turn. */
const pair = (task: string, planted: boolean[], twin: boolean[]) => [
  sampleGame({ task, scores: sampleScores(planted) }),
  sampleGame({ task, red: TWIN_RED, scores: sampleScores(twin) }),
];

test('recall counts reports of flaws, the false-positive rate reports in code without them', async () => {
  const games = [...pair('one', [true, true], [true, false]), ...pair('two', [true, false], [false, false])];
  const card = await buildScorecard(experiment, games);
  expect(card.categories).toMatchObject([
    { category: 'iam', pairs: 2, found: 2, false_alarms: 1, youden_j: { value: 0.5 } },
    { category: 'network', pairs: 2, found: 1, false_alarms: 0, youden_j: { value: 0.5 } },
  ]);
  expect(card.overall).toMatchObject({ pairs: 4, recall: { value: 0.75 }, false_positive_rate: { value: 0.25 } });
  expect(card.difficulties).toMatchObject([{ difficulty: 'medium', pairs: 4 }]);
});

test('categories count alike in the score, however many flaws they have', async () => {
  const games = pair('one', [true, false, true, false, true], [false, false, false, false, false]);
  const card = await buildScorecard(experiment, games);
  // iam 3 of 3, network 0 of 2.
  expect(card.score.value).toBe(0.5);
  expect(card.overall.youden_j.value).toBe(0.6);
});

test('a scanner that reports everything everywhere scores 0', async () => {
  const card = await buildScorecard(experiment, pair('one', [true, true], [true, true]));
  expect(card.score.value).toBe(0);
});

test('a pair with a failed game does not count, and the error is listed', async () => {
  const games = [
    sampleGame({ scores: sampleScores([true]) }),
    failedGame({ red: TWIN_RED, error: 'it hung' }),
    failedGame({ task: 'two' }),
    sampleGame({ task: 'two', red: TWIN_RED }),
  ];
  const card = await buildScorecard(experiment, games);
  expect(card).toMatchObject({ overall: { pairs: 0 }, games: { scored: 2, failed: 2 }, score: { value: null } });
  expect(card.errors).toEqual(['it hung', 'the scanner broke']);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aurocEstimate } from './auroc.ts';

const item = (score: number, isPositive: boolean, cluster = `${score} ${isPositive}`) => ({
  score,
  isPositive,
  cluster,
});
const ranked = (positives: number[], negatives: number[]) => [
  ...positives.map((score, index) => item(score, true, `p${index}`)),
  ...negatives.map((score, index) => item(score, false, `n${index}`)),
];

test('counts the pairs that are in the right order, ties as half', () => {
  // Of six pairs, four are right, one is tied and one is wrong.
  expect(aurocEstimate(ranked([0.9, 0.5, 0.4], [0.5, 0.1]))?.auroc).toBeCloseTo(4.5 / 6);
});

test('a perfect ranking of few items may still be an imperfect judge', () => {
  const { auroc, interval } = aurocEstimate(ranked([0.9, 0.8, 0.7], [0.1, 0.2, 0.3])) ?? { auroc: 0, interval: [1, 1] };
  expect([auroc, interval[1]]).toEqual([1, 1]);
  expect(interval[0]).toBeGreaterThan(0.4);
  expect(interval[0]).toBeLessThan(0.8);
});

test('scores that are all the same say nothing', () => {
  const found = aurocEstimate(ranked([1, 1, 1, 1], [1, 1, 1, 1]));
  expect(found?.auroc).toBe(0.5);
  expect(found?.interval[0]).toBeLessThan(0.3);
});

test('is undefined unless there are items of both kinds', () => {
  expect(aurocEstimate([])).toBeNull();
  expect(aurocEstimate(ranked([1, 0], []))).toBeNull();
});

test('items of one case tell less than items of their own', () => {
  const scores = Array.from({ length: 40 }, (_, index) => ({ score: (index * 7) % 10, isPositive: index % 3 > 0 }));
  const own = aurocEstimate(scores.map((each, index) => ({ ...each, cluster: `${index}` })));
  const alike = aurocEstimate(scores.flatMap((each, index) => [0, 1, 2].map(() => ({ ...each, cluster: `${index}` }))));
  expect(alike?.auroc).toBeCloseTo(own?.auroc ?? 0);
  const width = (interval = [0, 0]) => (interval[1] ?? 0) - (interval[0] ?? 0);
  // Three copies of each are worth no more than one.
  expect(width(alike?.interval)).toBeGreaterThan(0.9 * width(own?.interval));
  expect(aurocEstimate([item(1, true, 'same'), item(0, false, 'same')])?.interval).toEqual([0, 1]);
});

test('the interval contains the estimate, and turning the scores round turns it round', () => {
  const items = fc.array(fc.record({ score: fc.integer({ min: 0, max: 5 }), isPositive: fc.boolean() }), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(items, (drawn) => {
      const clustered = drawn.map((each, index) => ({ ...each, cluster: `${index}` }));
      const found = aurocEstimate(clustered);
      if (!found) return;
      const back = aurocEstimate(clustered.map((each) => ({ ...each, score: -each.score })));
      expect(back?.auroc).toBeCloseTo(1 - found.auroc);
      expect(found.interval[0]).toBeLessThanOrEqual(found.auroc + 1e-9);
      expect(found.interval[1]).toBeGreaterThanOrEqual(found.auroc - 1e-9);
    }),
    { numRuns: 50 },
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createReachableMeans } from './reachable-means.ts';

test('each case weighs the same: the rest of its trials passes, or fails', () => {
  const means = createReachableMeans([
    { index: 0, trials: 4 },
    { index: 1, trials: 1 },
  ]);
  expect(means.means()).toEqual({ best: { mean: 1, passRate: 1 }, worst: { mean: 0, passRate: 0 } });
  means.update(0, { total: 2, scored: 2, passed: 1, scoreSum: 1.5 });
  expect(means.means()).toEqual({
    best: { mean: (3.5 / 4 + 1) / 2, passRate: (3 / 4 + 1) / 2 },
    worst: { mean: 1.5 / 4 / 2, passRate: 1 / 4 / 2 },
  });
});

test('a case without a scored trial has no weight, and other cases are ignored', () => {
  const means = createReachableMeans([
    { index: 0, trials: 1 },
    { index: 1, trials: 1 },
  ]);
  means.update(0, { total: 1, scored: 0, passed: 0, scoreSum: 0 });
  means.update(7, { total: 1, scored: 1, passed: 0, scoreSum: 0 });
  expect(means.means().best).toEqual({ mean: 1, passRate: 1 });
});

test('sums that were updated trial by trial are those of the last state, to the bit', () => {
  const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 });
  fc.assert(
    fc.property(fc.array(scores, { minLength: 1, maxLength: 6 }), (byCase) => {
      const cases = byCase.map((_, index) => ({ index, trials: 5 }));
      const [stepwise, atOnce] = [createReachableMeans(cases), createReachableMeans(cases)];
      for (const [index, all] of byCase.entries()) {
        const after = (total: number) => {
          const scoreSum = all.slice(0, total).reduce((sum, score) => sum + score, 0);
          return { total, scored: total, passed: Math.floor(total / 2), scoreSum };
        };
        for (let total = 1; total <= all.length; total += 1) stepwise.update(index, after(total));
        atOnce.update(index, after(all.length));
      }
      expect(stepwise.means()).toEqual(atOnce.means());
    }),
  );
});

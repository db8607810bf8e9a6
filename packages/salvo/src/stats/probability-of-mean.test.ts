import fc from 'fast-check';
import { expect, test } from 'vitest';
import { probabilityOfMean, type UncertainScore } from './probability-of-mean.ts';

const even = (weight: number, ...values: number[]): UncertainScore => ({
  weight,
  outcomes: values.map((value) => ({ value, probability: 1 / values.length })),
});

test('the probability that the weighted mean of independent scores reaches a threshold', () => {
  expect(probabilityOfMean([even(1, 0, 1)], 0.5)).toBe(0.5);
  expect(probabilityOfMean([even(1, 0, 1), even(1, 0, 1)], 0.5)).toBe(0.75);
  expect(probabilityOfMean([even(3, 0, 1), even(1, 0, 1)], 0.75)).toBe(0.5);
  // A score without weight does not matter, and neither do the units of weights.
  expect(probabilityOfMean([even(1e300, 0, 1), even(0, 0), even(1e300, 1)], 1)).toBe(0.5);
});

test('a mean that misses the threshold by the last bit reaches it', () => {
  expect(probabilityOfMean([even(0.1, 1), even(0.7, 1), even(0.2, 0)], 0.8)).toBe(1);
});

test('there is none without weights', () => {
  expect(probabilityOfMean([], 0.5)).toBeNull();
  expect(probabilityOfMean([even(0, 1)], 0.5)).toBeNull();
});

const score = fc.record({
  weight: fc.constantFrom(0.5, 1, 2, 3),
  shares: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 5, maxLength: 5 }),
});

test('it is that of all combinations', () => {
  fc.assert(
    fc.property(
      fc.array(score, { minLength: 1, maxLength: 4 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (given, threshold) => {
        const scores = given.map(({ weight, shares }) => {
          const total = shares.reduce((sum, each) => sum + each, 0);
          return { weight, outcomes: shares.map((share, index) => ({ value: index / 4, probability: share / total })) };
        });
        const total = scores.reduce((sum, { weight }) => sum + weight, 0);
        const combined = (rest: UncertainScore[], sum: number): number => {
          const [first, ...others] = rest;
          if (!first) return sum / total >= threshold - 1e-8 ? 1 : 0;
          return first.outcomes.reduce(
            (all, { value, probability }) => all + probability * combined(others, sum + first.weight * value),
            0,
          );
        };
        expect(probabilityOfMean(scores, threshold)).toBeCloseTo(combined(scores, 0), 9);
      },
    ),
  );
});

test('forty criteria with weights of many digits take no time, and are nearly exact', () => {
  const scores = Array.from({ length: 40 }, (_, index) => even(Math.sqrt(index + 2), 0, 0.25, 0.5, 0.75, 1));
  const above = probabilityOfMean(scores, 0.5) ?? 0;
  expect(above).toBeGreaterThan(0.49);
  expect(above).toBeLessThan(0.51);
});

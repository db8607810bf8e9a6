import { expect, test } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { pairedPermutationTest } from './paired-tests.ts';
import { pooledPermutationTest } from './pooled-permutation-test.ts';

const pooled = (parts: Partial<Parameters<typeof pooledPermutationTest>[0]>) =>
  pooledPermutationTest({ pairs: [], samples: [], ...parts }, seededRandom(1))?.p ?? null;

test('is the paired test for pairs alone', () => {
  const pairs = [1, 1, 1, 1, 1, -1, 1, 1];
  expect(pooled({ pairs })).toBeCloseTo(pairedPermutationTest(pairs, seededRandom(1)) ?? 0, 1);
});

test('joins pairs and samples: together they show more than either', () => {
  const pairs = [1, 1, 1, 1];
  const samples = [{ first: [1, 1, 1, 1], second: [0, 0, 0, 0], weight: 4 }];
  const [ofPairs, ofSamples, ofBoth] = [pooled({ pairs }), pooled({ samples }), pooled({ pairs, samples })];
  // All ways: 2 of 16, 2 of 70, and 2 of 1120.
  expect(ofPairs).toBeCloseTo(2 / 16, 1);
  expect(ofSamples).toBeCloseTo(2 / 70, 2);
  expect(Math.abs((ofBoth ?? 1) - 2 / 1120)).toBeLessThan(0.0015);
});

test('a part with a larger weight counts more', () => {
  const parts = (weight: number) => [
    { first: [1, 1, 1, 1, 1], second: [0, 0, 0, 0, 0], weight },
    { first: [0, 1, 0, 1, 0], second: [1, 0, 1, 0, 1], weight: 1 },
  ];
  expect(pooled({ samples: parts(10) }) ?? 1).toBeLessThan(pooled({ samples: parts(0.1) }) ?? 0);
});

test('of very many values, the normal approximation gives what draws give', () => {
  const halves = (passed: number, total: number) => Array.from({ length: total }, (_, i) => (i < passed ? 1 : 0));
  const samples = [{ first: halves(560, 1000), second: halves(520, 1000), weight: 1 }];
  // z = 0.04 / sqrt(0.54 * 0.46 * 2 / 1000)
  expect(pooled({ samples })).toBeCloseTo(0.0728, 3);
  expect(pooled({ pairs: Array.from({ length: 3000 }, () => 0) })).toBe(1);
});

test('is null without a part', () => {
  expect(pooled({})).toBeNull();
});

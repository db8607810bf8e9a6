import { describe, expect, it } from 'vitest';
import { pairedEffectSize, pairedPermutationTest } from './paired-permutation.ts';
import { seededRandom } from './seeded-random.ts';

describe('the paired permutation test', () => {
  it('is exact for few pairs: 2 of the 2^5 ways are as extreme as all on one side', () => {
    expect(pairedPermutationTest([0.1, 0.2, 0.3, 0.1, 0.4], seededRandom(1))).toBe(2 / 32);
  });

  it('finds nothing where nothing differs', () => {
    expect(pairedPermutationTest([0, 0, 0], seededRandom(1))).toBe(1);
    expect(pairedPermutationTest([0.5, -0.5], seededRandom(1))).toBe(1);
    expect(pairedPermutationTest([], seededRandom(1))).toBeNull();
  });

  it('draws for many pairs, and never gives 0', () => {
    const p = pairedPermutationTest(Array<number>(60).fill(0.2), seededRandom(1));
    expect(p).toBeCloseTo(1 / 10_001, 10);
  });

  it('is the same for the same draws, and near its exact value', () => {
    const differences = Array.from({ length: 40 }, (_, index) => (index % 3 === 0 ? -0.1 : 0.1));
    const p = pairedPermutationTest(differences, seededRandom(7)) ?? Number.NaN;
    expect(p).toBe(pairedPermutationTest(differences, seededRandom(7)));
    // 14 against 26 of 40 fair coins, both sides: 0.0807.
    expect(Math.abs(p - 0.0807)).toBeLessThan(0.012);
  });
});

describe('the effect size of pairs', () => {
  it('is their mean difference in units of its spread', () => {
    expect(pairedEffectSize([1, 2, 3])).toBeCloseTo(2, 12);
  });

  it('is none without a spread to measure in', () => {
    expect(pairedEffectSize([0.2, 0.2])).toBeNull();
    expect(pairedEffectSize([0.2])).toBeNull();
    expect(pairedEffectSize([])).toBeNull();
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holmCorrection, mcnemarTest, pairedEffectSize, pairedPermutationTest } from './paired-tests.ts';
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
  it('is their mean difference in standard deviations', () => {
    expect(pairedEffectSize([1, 2, 3])).toBeCloseTo(2, 12);
  });

  it('is null when the differences do not vary', () => {
    expect(pairedEffectSize([0.2, 0.2])).toBeNull();
    expect(pairedEffectSize([0.2])).toBeNull();
    expect(pairedEffectSize([])).toBeNull();
  });
});

describe('the exact McNemar test', () => {
  it('is the two-sided binomial tail of the items that differ', () => {
    expect(mcnemarTest({ onlyFirst: 0, onlySecond: 5 })).toBeCloseTo(2 / 32, 12);
    expect(mcnemarTest({ onlyFirst: 1, onlySecond: 9 })).toBeCloseTo((2 * 11) / 1024, 12);
    expect(mcnemarTest({ onlyFirst: 3, onlySecond: 12 })).toBeCloseTo((2 * 576) / 32768, 12);
  });

  it('finds no difference where nothing differs, or evenly', () => {
    expect(mcnemarTest({ onlyFirst: 0, onlySecond: 0 })).toBe(1);
    expect(mcnemarTest({ onlyFirst: 7, onlySecond: 7 })).toBe(1);
  });

  it('does not depend on which is first, stays within 0 and 1, and holds for thousands', () => {
    const counts = fc.nat({ max: 5000 });
    fc.assert(
      fc.property(counts, counts, (a, b) => {
        const p = mcnemarTest({ onlyFirst: a, onlySecond: b });
        expect(p).toBe(mcnemarTest({ onlyFirst: b, onlySecond: a }));
        expect(p).toBeGreaterThanOrEqual(0);
        expect(p).toBeLessThanOrEqual(1);
      }),
      { numRuns: 50 },
    );
  });

  it('refuses numbers that are no counts', () => {
    expect(() => mcnemarTest({ onlyFirst: -1, onlySecond: 2 })).toThrow(RangeError);
    expect(() => mcnemarTest({ onlyFirst: Number.NaN, onlySecond: 2 })).toThrow(RangeError);
  });
});

describe("Holm's correction", () => {
  it('multiplies the smallest by all, the next by all but one, and never falls', () => {
    const [a, b, c, d] = holmCorrection([0.01, 0.04, 0.03, 0.005]);
    expect([a, b, c, d].map((p) => p?.toFixed(3))).toEqual(['0.030', '0.060', '0.060', '0.020']);
  });

  it('changes nothing for one comparison, or none', () => {
    expect(holmCorrection([0.2])).toEqual([0.2]);
    expect(holmCorrection([])).toEqual([]);
  });

  it('keeps the order of the p values and stays within them and 1', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 }), (pValues) => {
        const corrected = holmCorrection(pValues);
        for (const [i, p] of pValues.entries()) {
          expect(corrected[i]).toBeGreaterThanOrEqual(p);
          expect(corrected[i]).toBeLessThanOrEqual(1);
          for (const [j, q] of pValues.entries())
            if (p < q) expect(corrected[i]).toBeLessThanOrEqual(corrected[j] ?? 0);
        }
      }),
    );
  });
});

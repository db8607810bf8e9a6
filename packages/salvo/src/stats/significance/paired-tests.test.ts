import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { holmCorrection, mcnemarTest, pairedEffectSize, pairedPermutationTest } from './paired-tests.ts';

describe('the paired permutation test', () => {
  it('is exact for few pairs: 2 of the 2^5 ways are as extreme as all on one side', () => {
    expect(pairedPermutationTest([0.1, 0.2, 0.3, 0.1, 0.4], seededRandom(1))).toBe(2 / 32);
  });

  it('finds nothing where nothing differs', () => {
    expect(pairedPermutationTest([0, 0, 0], seededRandom(1))).toBe(1);
    expect(pairedPermutationTest([0.5, -0.5], seededRandom(1))).toBe(1);
    expect(pairedPermutationTest([], seededRandom(1))).toBeNull();
  });

  it('is exact for many pairs whose differences have a common unit, as pass rates have', () => {
    const differences = Array.from({ length: 40 }, (_, index) => (index % 3 === 0 ? -1 / 3 : 1 / 3));
    // 14 against 26 of 40 fair coins, both sides.
    expect(pairedPermutationTest(differences, seededRandom(7))).toBeCloseTo(0.0807, 4);
    expect(pairedPermutationTest(Array<number>(60).fill(0.2), seededRandom(1))).toBeCloseTo(2 ** -59, 25);
  });

  it('draws for many other pairs, never gives 0, and comes near the exact value', () => {
    const unlike = (size: number) => Array.from({ length: 60 }, (_, index) => size + index / 1e5);
    expect(pairedPermutationTest(unlike(0.2), seededRandom(1))).toBeCloseTo(1 / 10_001, 10);
    const differences = unlike(0.1).map((difference, index) => (index % 3 === 0 ? -difference : difference));
    const p = pairedPermutationTest(differences, seededRandom(7)) ?? Number.NaN;
    expect(p).toBe(pairedPermutationTest(differences, seededRandom(7)));
    // 40 of 60 fair coins on one side, both sides: 0.0135 with those that are equally far off, 0.0062 without.
    expect(p).toBeGreaterThan(0.005);
    expect(p).toBeLessThan(0.015);
  });

  it('approximates thousands of pairs', () => {
    const differences = Array.from({ length: 4000 }, (_, index) => (index % 100 < 48 ? -0.1 : 0.1) + index / 1e9);
    // 80 of 4000 fair coins off the middle are 2.53 standard deviations.
    expect(pairedPermutationTest(differences, seededRandom(1))).toBeCloseTo(0.0114, 3);
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

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mcnemarTest } from './mcnemar.ts';

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

  it('does not care who is first, stays within 0 and 1, and holds for thousands', () => {
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

  it('refuses what is no count', () => {
    expect(() => mcnemarTest({ onlyFirst: -1, onlySecond: 2 })).toThrow(RangeError);
    expect(() => mcnemarTest({ onlyFirst: Number.NaN, onlySecond: 2 })).toThrow(RangeError);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holmCorrection } from './holm.ts';

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

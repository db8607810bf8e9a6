import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rateDifference } from './rate-difference.ts';

describe('rateDifference', () => {
  it('is that of the example of Newcombe (1998): 56/70 - 48/80', () => {
    const found = rateDifference({ passed: 56, total: 70 }, { passed: 48, total: 80 });
    expect(found?.value).toBeCloseTo(0.2, 12);
    expect(found?.interval[0]).toBeCloseTo(0.0524, 4);
    expect(found?.interval[1]).toBeCloseTo(0.3339, 4);
  });

  it('contains the difference, stays between -1 and 1, and is mirrored when the rates are swapped', () => {
    const rate = fc
      .integer({ min: 1, max: 100 })
      .chain((total) => fc.integer({ min: 0, max: total }).map((passed) => ({ passed, total })));
    fc.assert(
      fc.property(rate, rate, (first, second) => {
        const found = rateDifference(first, second);
        const turned = rateDifference(second, first);
        if (!found || !turned) throw new Error('both have trials');
        expect(found.interval[0]).toBeLessThanOrEqual(found.value);
        expect(found.interval[1]).toBeGreaterThanOrEqual(found.value);
        expect(found.interval[0]).toBeGreaterThanOrEqual(-1 - 1e-12);
        expect(found.interval[1]).toBeLessThanOrEqual(1 + 1e-12);
        expect(turned.interval[0]).toBeCloseTo(-found.interval[1], 12);
      }),
    );
  });

  it('is unknown without trials', () => {
    expect(rateDifference({ passed: 0, total: 0 }, { passed: 1, total: 1 })).toBeNull();
  });
});

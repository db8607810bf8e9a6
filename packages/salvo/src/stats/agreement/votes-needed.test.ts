import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { votesNeeded } from './majority-flip-rate.ts';

describe('votesNeeded', () => {
  it('is one vote for a judge that never contradicts itself', () => {
    expect(votesNeeded({ flipRate: 0, passRate: 0.5 })).toBe(1);
    expect(votesNeeded({ flipRate: 0, passRate: 1 })).toBe(1);
    expect(votesNeeded({ flipRate: 0.049, passRate: 0.5 })).toBe(1);
  });

  it('is the first odd number whose majority flips less than once in twenty', () => {
    // From 0.054432 with three votes down to 2 * 0.99144 * 0.00856 = 0.017 with five.
    expect(votesNeeded({ flipRate: 0.18, passRate: 0.9 })).toBe(5);
  });

  it('does not exist for a coin', () => {
    expect(votesNeeded({ flipRate: 0.5, passRate: 0.5 })).toBeNull();
    expect(votesNeeded({ flipRate: 0.6, passRate: 0.5 })).toBeNull();
  });

  it('is unknown when it is unknown how often votes differ', () => {
    expect(votesNeeded({ flipRate: null, passRate: 0.5 })).toBeNull();
    expect(votesNeeded({ flipRate: null, passRate: null })).toBeNull();
  });

  it('is odd, and does not fall when votes differ more, for a judge that passes half of all items', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 0.5, noNaN: true }), share, (flipRate, part) => {
        const needed = votesNeeded({ flipRate, passRate: 0.5 });
        const steadier = votesNeeded({ flipRate: flipRate * part, passRate: 0.5 });
        fc.pre(needed !== null);
        expect(needed % 2).toBe(1);
        expect(steadier ?? Number.NaN).toBeLessThanOrEqual(needed);
      }),
    );
  });

  it('may fall for others: votes that differ less often may differ on a few items that are a toss-up', () => {
    expect(votesNeeded({ flipRate: 0.12, passRate: 0.1 })).toBe(9);
    expect(votesNeeded({ flipRate: 0.18, passRate: 0.1 })).toBe(5);
  });
});

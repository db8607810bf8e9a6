import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { votesNeeded } from './votes-needed.ts';

const passRate = fc.double({ min: 0.01, max: 0.99, noNaN: true });
/** How often two votes differ lies between never and as often as if all items were alike. */
const statistics = fc
  .tuple(passRate, fc.double({ min: 0.001, max: 1, noNaN: true }))
  .map(([passes, share]) => ({ passRate: passes, flipRate: 2 * passes * (1 - passes) * share }));

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

  it('is odd, and does not fall when votes differ more', () => {
    fc.assert(
      fc.property(statistics, fc.double({ min: 0, max: 1, noNaN: true }), (votes, share) => {
        const needed = votesNeeded(votes);
        const steadier = votesNeeded({ ...votes, flipRate: votes.flipRate * share });
        fc.pre(needed !== null);
        expect(needed % 2).toBe(1);
        expect(steadier ?? Number.NaN).toBeLessThanOrEqual(needed);
      }),
    );
  });
});

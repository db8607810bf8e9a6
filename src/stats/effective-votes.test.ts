import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectiveVotes } from './effective-votes.ts';

describe('effectiveVotes', () => {
  it('of votes that know nothing of each other are all of them, of votes that always agree one', () => {
    expect(effectiveVotes({ votes: 9, meanCorrelation: 0 })).toBe(9);
    expect(effectiveVotes({ votes: 9, meanCorrelation: 1 })).toBe(1);
    expect(effectiveVotes({ votes: 1, meanCorrelation: 0.7 })).toBe(1);
  });

  it('of nine votes correlated by a half are 1.8', () => {
    expect(effectiveVotes({ votes: 9, meanCorrelation: 0.5 })).toBeCloseTo(1.8, 12);
  });

  it('are unknown without votes or without a correlation', () => {
    expect(effectiveVotes({ votes: 0, meanCorrelation: 0 })).toBeNull();
    expect(effectiveVotes({ votes: 3, meanCorrelation: null })).toBeNull();
  });

  it('are never fewer than one, never more than were cast, and fewer the more they are correlated', () => {
    const correlation = fc.double({ min: -1, max: 1.5, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 63 }), correlation, correlation, (votes, a, b) => {
        const loose = effectiveVotes({ votes, meanCorrelation: Math.min(a, b) }) ?? Number.NaN;
        const tight = effectiveVotes({ votes, meanCorrelation: Math.max(a, b) }) ?? Number.NaN;
        expect(tight).toBeGreaterThanOrEqual(1);
        expect(loose).toBeLessThanOrEqual(votes);
        expect(tight).toBeLessThanOrEqual(loose);
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effectiveVotes, intraclassCorrelation } from './intraclass-correlation.ts';

const vote = fc.constantFrom(0, 1);
const matrix = fc.array(fc.array(vote, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 15 });

describe('intraclassCorrelation', () => {
  it('is what Shrout and Fleiss (1979) publish for four judges of six targets', () => {
    // ICC(1,1) = 0.17: between 11.24, within 6.26; (11.24 - 6.26) / (11.24 + 3 * 6.26).
    const ratings = [
      [9, 2, 5, 8],
      [6, 1, 3, 2],
      [8, 4, 6, 8],
      [7, 1, 2, 6],
      [10, 5, 6, 9],
      [6, 2, 4, 7],
    ];
    expect(intraclassCorrelation(ratings)).toBeCloseTo(0.1657, 4);
  });

  it('is exactly 1 when votes on an item never differ', () => {
    expect(
      intraclassCorrelation([
        [0.1, 0.1, 0.1],
        [0.7, 0.7],
        [0.1, null, 0.1],
      ]),
    ).toBe(1);
  });

  it('is below 0 when items are more alike than the votes on each', () => {
    expect(
      intraclassCorrelation([
        [0, 1],
        [1, 0],
        [0, 1],
      ]),
    ).toBe(-1);
  });

  it('is unknown with one unit, without a second vote, or without any difference', () => {
    expect(intraclassCorrelation([])).toBeNull();
    expect(intraclassCorrelation([[1, 0]])).toBeNull();
    expect(intraclassCorrelation([[1], [0]])).toBeNull();
    expect(
      intraclassCorrelation([
        [1, null],
        [null, 0],
      ]),
    ).toBeNull();
    expect(
      intraclassCorrelation([
        [0.1, 0.1, 0.1],
        [0.1, 0.1, 0.1],
      ]),
    ).toBeNull();
  });

  it('is at most 1, and the same when pass and fail change names', () => {
    fc.assert(
      fc.property(matrix, (ratings) => {
        const rho = intraclassCorrelation(ratings);
        const turned = intraclassCorrelation(ratings.map((unit) => unit.map((each) => 1 - each)));
        expect(turned === null).toBe(rho === null);
        fc.pre(rho !== null);
        expect(rho).toBeLessThanOrEqual(1);
        expect(turned).toBeCloseTo(rho, 10);
      }),
    );
  });
});

describe('effectiveVotes', () => {
  it('of independent votes are all of them, of votes that always agree one', () => {
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

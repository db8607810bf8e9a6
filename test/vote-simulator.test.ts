import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meanVotesUntilSettled, simulateVotes, votesUntilSettled } from '../bench/vote-simulator.ts';

const election = fc
  .integer({ min: 1, max: 21 })
  .chain((k) => fc.record({ k: fc.constant(k), votes: fc.array(fc.boolean(), { minLength: k, maxLength: k }) }));

const passes = (votes: readonly boolean[]) => votes.filter(Boolean).length;

describe('votesUntilSettled', () => {
  it.each([
    { k: 1, votes: [true], settled: 1 },
    { k: 3, votes: [true, true, false], settled: 2 },
    { k: 3, votes: [false, false, true], settled: 2 },
    { k: 3, votes: [true, false, true], settled: 3 },
    { k: 5, votes: [true, false, true, true, false], settled: 4 },
    // A tie fails, but there is no verdict at all before more than half of the votes are readable.
    { k: 4, votes: [false, false, true, true], settled: 3 },
    { k: 4, votes: [true, true, true, false], settled: 3 },
  ])('of $votes with k = $k is $settled', ({ k, votes, settled }) => {
    expect(votesUntilSettled(votes, k)).toBe(settled);
  });

  it('never changes the verdict of all k, whatever the votes that were not cast', () => {
    fc.assert(
      fc.property(election, fc.array(fc.boolean(), { minLength: 21, maxLength: 21 }), ({ k, votes }, others) => {
        const settled = votesUntilSettled(votes, k);
        const otherwise = [...votes.slice(0, settled), ...others].slice(0, k);
        expect(passes(otherwise) > k / 2).toBe(passes(votes) > k / 2);
      }),
    );
  });

  it('takes at least a majority and at most all of them, and not one more than needed', () => {
    fc.assert(
      fc.property(election, ({ k, votes }) => {
        const settled = votesUntilSettled(votes, k);
        expect(settled).toBeGreaterThan(k / 2);
        expect(settled).toBeLessThanOrEqual(k);
        fc.pre(settled > Math.floor(k / 2) + 1);
        const before = votes.slice(0, settled - 1);
        const allPass = passes(before) + k - before.length > k / 2;
        const allFail = passes(before) > k / 2;
        expect(allPass).not.toBe(allFail);
      }),
    );
  });

  it('refuses votes that run out before anything is settled', () => {
    expect(() => votesUntilSettled([true, false], 3)).toThrow(RangeError);
    expect(() => votesUntilSettled([], 1)).toThrow(RangeError);
  });
});

describe('simulateVotes', () => {
  it('gives the same votes for the same seed, and others for another', () => {
    const options = { passProbabilities: [0.5], items: 50, k: 9 };
    expect(simulateVotes({ ...options, seed: 1 })).toEqual(simulateVotes({ ...options, seed: 1 }));
    expect(simulateVotes({ ...options, seed: 1 })).not.toEqual(simulateVotes({ ...options, seed: 2 }));
  });

  it('follows the chance of each item', () => {
    const votes = simulateVotes({ passProbabilities: [0, 1, 0.7], items: 3000, k: 5, seed: 4 });
    const share = (source: number) => {
      const own = votes.filter((_, item) => item % 3 === source).flat();
      return passes(own) / own.length;
    };
    expect(share(0)).toBe(0);
    expect(share(1)).toBe(1);
    expect(share(2)).toBeCloseTo(0.7, 1);
  });

  it('only shuffles as many recorded votes as are asked for', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 21 }), fc.integer(), (recorded, seed) => {
        const [votes = []] = simulateVotes({ recorded: [recorded], k: recorded.length, seed });
        expect(votes.toSorted()).toEqual(recorded.toSorted());
      }),
    );
  });

  it('starts over when more votes are asked for than were recorded', () => {
    expect(simulateVotes({ recorded: [[true]], k: 3, seed: 1 })).toEqual([[true, true, true]]);
    expect(simulateVotes({ recorded: [], k: 3, seed: 1 })).toEqual([]);
    expect(() => simulateVotes({ recorded: [[]], k: 1, seed: 1 })).toThrow(RangeError);
  });
});

describe('meanVotesUntilSettled', () => {
  it('is a majority for a judge that is always sure, and more for one that is not', () => {
    const sure = simulateVotes({ passProbabilities: [0, 1], items: 200, k: 9, seed: 1 });
    const torn = simulateVotes({ passProbabilities: [0.5], items: 200, k: 9, seed: 1 });
    expect(meanVotesUntilSettled(sure, 9)).toBe(5);
    expect(meanVotesUntilSettled(torn, 9)).toBeGreaterThan(6);
    expect(meanVotesUntilSettled([], 9)).toBeNull();
  });

  it('is 2.5 of 3 for coins', () => {
    // Two votes agree half of the time: 2 * 1/2 + 3 * 1/2.
    const coins = simulateVotes({ passProbabilities: [0.5], items: 20_000, k: 3, seed: 9 });
    expect(meanVotesUntilSettled(coins, 3)).toBeCloseTo(2.5, 1);
  });
});

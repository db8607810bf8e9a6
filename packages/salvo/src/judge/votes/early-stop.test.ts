import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tried } from '../../../../../test/thorough.ts';
import { aggregateKVotes } from './aggregation.ts';
import { type CountedVote, type Election, isSettled, isVerdictSettled, nextWave } from './early-stop.ts';

const quorumOf = (k: number) => Math.floor(k / 2) + 1;
const tallyOf = (votes: (boolean | null)[], k: number) => ({
  passed: votes.filter((vote) => vote === true).length,
  failed: votes.filter((vote) => vote === false).length,
  open: k - votes.length,
  openVotes: k - votes.length,
  readable: votes.filter((vote) => vote !== null).length,
  quorum: quorumOf(k),
});
/** Null when there is no quorum. */
const verdictOf = (votes: (boolean | null)[], k: number) => {
  const { passed, failed, readable } = tallyOf(votes, k);
  return readable < quorumOf(k) ? null : passed > failed;
};

describe('a verdict', () => {
  it('is settled by two of three votes that agree, and not by two that differ', () => {
    expect(isVerdictSettled(tallyOf([true, true], 3))).toBe(true);
    expect(isVerdictSettled(tallyOf([false, false], 3))).toBe(true);
    expect(isVerdictSettled(tallyOf([true, false], 3))).toBe(false);
  });

  it('is not settled without a quorum of readable votes', () => {
    expect(isVerdictSettled(tallyOf([true, null], 3))).toBe(false);
    expect(isVerdictSettled(tallyOf([null, true], 4))).toBe(false);
  });

  it('is settled as none when a quorum cannot be reached any more', () => {
    expect(isVerdictSettled(tallyOf([null, null], 3))).toBe(true);
    expect(isVerdictSettled(tallyOf([true, null, null], 4))).toBe(true);
  });

  it('is not settled by weights that only add up to more by a rounding error', () => {
    const tally = { passed: 0.1 + 0.2, failed: 0, open: 0.3, openVotes: 1, quorum: 2, readable: 2 };
    expect(tally.passed).toBeGreaterThan(tally.open);
    expect(isVerdictSettled(tally)).toBe(false);
  });

  it('does not change any more once it is settled, whatever the open votes are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(true, false, null), { minLength: 1, maxLength: 9 }),
        fc.integer({ min: 0, max: 9 }),
        (votes, seen) => {
          const k = votes.length;
          const soFar = votes.slice(0, Math.min(seen, k));
          fc.pre(isVerdictSettled(tallyOf(soFar, k)));
          expect(verdictOf(votes, k)).toBe(verdictOf(soFar, k));
        },
      ),
      { numRuns: tried(2000) },
    );
  });
});

const criteria = [{ name: 'a', weight: 1 }];
const election = (changes: Partial<Election> = {}): Election => {
  return { criteria, threshold: 0.5, aggregation: 'median', quorum: 2, ...changes };
};
const cast = (...scores: (number | null)[]): CountedVote[] =>
  scores.map((score) => ({ scores: score === null ? null : { a: { score, reasoning: '' } }, weight: 1 }));
const open = (count: number) => Array.from({ length: count }, () => ({ weight: 1 }));

describe('a wave', () => {
  it('is the fewest votes that could settle it', () => {
    const wave = (k: number, ...votes: (number | null)[]) =>
      nextWave(election({ quorum: quorumOf(k) }), cast(...votes), open(k - votes.length));
    expect(wave(3)).toBe(2);
    expect(wave(3, 1, 0)).toBe(1);
    expect(wave(1)).toBe(1);
    expect(wave(9)).toBe(5);
  });

  it('is all open votes when each of them counts for the exact score', () => {
    const isScoreSettled: Election['isScoreSettled'] = ({ lowest, highest }) => lowest === highest;
    const mean = election({ quorum: 3, aggregation: 'mean', isScoreSettled });
    expect(isSettled(mean, cast(1, 1, 1), open(2))).toBe(false);
    expect(nextWave(mean, cast(1, 1, 1), open(2))).toBe(2);
    expect(isSettled({ ...mean, aggregation: 'median' }, cast(1, 1, 1), open(2))).toBe(true);
  });
});

describe('a score', () => {
  const rangeOf = (changes: Partial<Election>, votes: CountedVote[], rest: { weight: number }[]) => {
    let range: { lowest: number; highest: number } | null = null;
    const isScoreSettled: Election['isScoreSettled'] = (reachable) => {
      range = reachable;
      return true;
    };
    isSettled(election({ ...changes, isScoreSettled }), votes, rest);
    return range;
  };

  it('can still become what the open votes make of it', () => {
    expect(rangeOf({ quorum: 3 }, cast(0.6, 1, 1), open(2))).toEqual({ lowest: 0.6, highest: 1, passed: true });
    expect(rangeOf({ quorum: 3 }, cast(1, 1, 1), open(2))).toEqual({ lowest: 1, highest: 1, passed: true });
    expect(rangeOf({ quorum: 3 }, cast(0, 0, 0), open(2))).toEqual({ lowest: 0, highest: 0, passed: false });
    expect(rangeOf({ quorum: 2, aggregation: 'mean' }, cast(1, 1), open(1))).toMatchObject({
      lowest: 2 / 3,
      highest: 1,
    });
  });

  it('is not asked for while the verdict is open, and without a verdict there is none', () => {
    expect(rangeOf({ quorum: 3 }, cast(1, 0), open(3))).toBeNull();
    expect(rangeOf({ quorum: 3 }, cast(1, null, null, null), open(1))).toBeNull();
  });

  it('never leaves the range, whatever the open votes are, and however many can be read', () => {
    const score = fc.constantFrom(0, 0.25, 0.5, 0.6, 0.8, 1);
    const vote = fc.option(fc.record({ a: score, b: score }), { nil: null, freq: 4 });
    const weight = fc.constantFrom(0.1, 1, 2.5, 100);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(vote, weight), { minLength: 2, maxLength: 7 }),
        fc.nat(6),
        fc.boolean(),
        fc.constantFrom('median' as const, 'mean' as const, 'trimmed_mean' as const),
        fc.constantFrom(0, 0.5, 0.8),
        (drawn, seen, equal, aggregation, threshold) => {
          const two = [...criteria, { name: 'b', weight: 2 }];
          const all = drawn.map(([scores, own]): CountedVote => {
            const asScores = ([name, given]: [string, number]) => [name, { score: given, reasoning: '' }];
            return {
              scores: scores && Object.fromEntries(Object.entries(scores).map(asScores)),
              weight: equal ? 1 : own,
            };
          });
          const soFar = all.slice(0, seen);
          const changes = { criteria: two, quorum: quorumOf(all.length), aggregation, threshold };
          const range = rangeOf(changes, soFar, all.slice(seen)) as { lowest: number; highest: number } | null;
          fc.pre(range !== null);
          const readable = all.filter((each) => each.scores !== null);
          const { overallScore } = aggregateKVotes(
            readable.map(({ scores }) => scores ?? {}),
            two,
            threshold,
            { aggregation, voteWeights: readable.map((each) => each.weight) },
          );
          expect(overallScore).toBeGreaterThanOrEqual(range?.lowest ?? 0);
          expect(overallScore).toBeLessThanOrEqual(range?.highest ?? 1);
        },
      ),
      { numRuns: tried(3000) },
    );
  });
});

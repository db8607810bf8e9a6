import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isVerdictSettled, nextWave } from './early-stop.ts';

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
      { numRuns: 2000 },
    );
  });
});

describe('a wave', () => {
  it('is the fewest votes that could settle it', () => {
    const open = (count: number) => Array.from({ length: count }, () => ({ weight: 1 }));
    expect(nextWave(tallyOf([], 3), open(3))).toBe(2);
    expect(nextWave(tallyOf([true, false], 3), open(1))).toBe(1);
    expect(nextWave(tallyOf([], 1), open(1))).toBe(1);
    expect(nextWave(tallyOf([], 9), open(9))).toBe(5);
  });
});

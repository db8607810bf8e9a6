import { majorityFlipRate, type VoteStatistics } from '../../stats/agreement/majority-flip-rate.ts';

/** The most votes that a judge may be asked for. */
const MOST_VOTES = 21;
/** Two verdicts on the same item may differ once in twenty times. */
const TOLERATED_FLIPS = 0.05;

/**
 * The smallest odd number of votes whose majority is the same again at least 95 times in 100.
 * Null when that takes more than 21 votes, or when it is unknown how often votes differ.
 */
export function votesNeeded(votes: VoteStatistics): number | null {
  for (let k = 1; k <= MOST_VOTES; k += 2) {
    const flips = majorityFlipRate({ ...votes, k });
    if (flips === null) return null;
    if (flips < TOLERATED_FLIPS) return k;
  }
  return null;
}

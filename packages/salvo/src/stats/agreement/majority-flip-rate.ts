/** What is known of a judge's single votes. */
interface VoteStatistics {
  /** How often two single votes on the same item differ. */
  flipRate: number | null;
  /** The share of all votes that pass. */
  passRate: number | null;
}

/**
 * How often two majorities of k votes on the same item would differ. With k = 1 that is the flip rate itself.
 *
 * Items are not equally hard: most are clear and a few are a toss-up, where more votes help little. So an item's chance
 * to pass is assumed to be Beta distributed, with the mean and the spread that the two given rates imply. Assuming that
 * every item is equally hard would promise far too much.
 * @internal Exported for its tests.
 */
export function majorityFlipRate({ flipRate, passRate, k }: VoteStatistics & { k: number }): number | null {
  if (flipRate === null || passRate === null) return null;
  const mostFlips = 2 * passRate * (1 - passRate);
  // At least as many flips as if every item had the same chance to pass: all items are equally hard.
  const correlation = flipRate === 0 ? 1 : Math.max(0, 1 - flipRate / mostFlips);
  if (correlation === 1) return 0;
  const weight = correlation === 0 ? Number.POSITIVE_INFINITY : (1 - correlation) / correlation;
  const majority = Math.floor(k / 2) + 1;
  let flips = 0;
  for (let first = majority; first <= k; first += 1) {
    for (let second = 0; second < majority; second += 1) {
      const ways = choose(k, first) * choose(k, second);
      flips += ways * chanceOfSequence({ passed: first + second, votes: 2 * k, passRate, weight });
    }
  }
  return Math.min(1, 2 * flips);
}

/** The probability of one order of votes with so many passes, on a random item (Pólya's urn). */
function chanceOfSequence(urn: { passed: number; votes: number; passRate: number; weight: number }): number {
  const { passed, votes, passRate, weight } = urn;
  let chance = 1;
  for (let vote = 0; vote < votes; vote += 1) {
    const forPass = vote < passed;
    const share = forPass ? passRate : 1 - passRate;
    const seen = forPass ? vote : vote - passed;
    chance *= weight === Number.POSITIVE_INFINITY ? share : (share * weight + seen) / (weight + vote);
  }
  return chance;
}

function choose(n: number, k: number): number {
  let ways = 1;
  for (let i = 1; i <= k; i += 1) ways = (ways * (n - k + i)) / i;
  return ways;
}

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

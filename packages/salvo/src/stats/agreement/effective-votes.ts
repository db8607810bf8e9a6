/** How many independent votes some votes are worth. */
export interface EffectiveVotes {
  votes: number;
  /** From 1, when all votes err on the same items, to the number of votes, when they err independently. */
  worth: number;
  /** The mean correlation of the errors of two votes over the items. */
  errorCorrelation: number;
}

/** With errors on fewer items, nothing can be said about whether votes err together. */
const FEWEST_ITEMS_WITH_ERRORS = 5;

/**
 * How many independent votes a number of votes are worth, by the correlation of their errors: n / (1 + (n - 1) rho),
 * Kish's design effect. Votes that agree because they are right are not redundant; votes that are wrong about the same
 * items are. A correlation below 0 counts as 0.
 * One row for each item, one column for each vote: whether the vote was wrong, null where there is no vote.
 * Null when it is unknown: fewer than two votes, or too few items with errors.
 */
export function effectiveVotes(errors: readonly (readonly (boolean | null)[])[]): EffectiveVotes | null {
  const votes = errors.reduce((most, row) => Math.max(most, row.length), 0);
  if (votes < 2 || errors.filter((row) => row.includes(true)).length < FEWEST_ITEMS_WITH_ERRORS) return null;
  let covariance = 0;
  let variance = 0;
  for (let a = 0; a < votes; a += 1) {
    for (let b = a + 1; b < votes; b += 1) {
      const pair = momentsOf(errors, a, b);
      covariance += pair.covariance;
      variance += pair.variance;
    }
  }
  if (variance === 0) return null;
  const errorCorrelation = covariance / variance;
  return { votes, errorCorrelation, worth: votes / (1 + (votes - 1) * Math.min(1, Math.max(0, errorCorrelation))) };
}

/** Over the items on which both votes were cast. The variance is the mean of both. */
function momentsOf(errors: readonly (readonly (boolean | null)[])[], a: number, b: number) {
  const count = { items: 0, a: 0, b: 0, both: 0 };
  for (const row of errors) {
    const [first, second] = [row[a] ?? null, row[b] ?? null];
    if (first === null || second === null) continue;
    count.items += 1;
    if (first) count.a += 1;
    if (second) count.b += 1;
    if (first && second) count.both += 1;
  }
  if (count.items === 0) return { covariance: 0, variance: 0 };
  const [rateA, rateB] = [count.a / count.items, count.b / count.items];
  return {
    covariance: count.both / count.items - rateA * rateB,
    variance: (rateA * (1 - rateA) + rateB * (1 - rateB)) / 2,
  };
}

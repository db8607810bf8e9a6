/**
 * How many independent votes a number of correlated ones are worth: n / (1 + (n - 1) rho), Kish's design effect.
 * Ten votes that always agree tell no more than one. A correlation below 0 counts as 0: votes that contradict each
 * other are not worth more than votes that know nothing of each other.
 * Null when there are no votes or their correlation is unknown.
 */
export function effectiveVotes({
  votes,
  meanCorrelation,
}: {
  votes: number;
  meanCorrelation: number | null;
}): number | null {
  if (votes < 1 || meanCorrelation === null) return null;
  const correlation = Math.min(1, Math.max(0, meanCorrelation));
  return votes / (1 + (votes - 1) * correlation);
}

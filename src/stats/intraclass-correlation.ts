import { exactSum } from './exact-sum.ts';
import { type RatingMatrix, unitsRated } from './krippendorff-alpha.ts';
import { mean } from './mean.ts';

/**
 * How alike two ratings of the same unit are: ICC(1,1), the one-way intraclass correlation of Shrout and Fleiss (1979),
 * with their usual correction where units have different numbers of ratings. Votes of pass and fail count as 1 and 0.
 * Null when it is undefined: fewer than two units, none of them rated twice, or all ratings the same.
 */
export function intraclassCorrelation(ratings: RatingMatrix): number | null {
  const units = unitsRated(ratings, 1);
  const all = units.flat();
  const degreesWithin = all.length - units.length;
  if (units.length < 2 || degreesWithin === 0 || new Set(all).size < 2) return null;
  const grandMean = mean(all) ?? 0;
  const means = units.map((unit) => mean(unit) ?? grandMean);
  const between = exactSum(units.map((unit, index) => unit.length * ((means[index] ?? 0) - grandMean) ** 2));
  const within = exactSum(units.flatMap((unit, index) => unit.map((rating) => (rating - (means[index] ?? 0)) ** 2)));
  const meanBetween = between / (units.length - 1);
  const meanWithin = within / degreesWithin;
  const usualSize = (all.length - exactSum(units.map((unit) => unit.length ** 2)) / all.length) / (units.length - 1);
  return (meanBetween - meanWithin) / (meanBetween + (usualSize - 1) * meanWithin);
}

/**
 * How many independent votes a number of correlated ones are worth: n / (1 + (n - 1) rho), Kish's design effect.
 * Ten votes that always agree say no more than one. A correlation below 0 counts as 0: votes that contradict each
 * other are not worth more than independent ones.
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

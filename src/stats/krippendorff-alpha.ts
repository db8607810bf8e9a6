import { exactSum } from './exact-sum.ts';
import { mean } from './mean.ts';

/** One row per unit, one column per rater; null where a rater did not rate. Rows may differ in length. */
export type RatingMatrix = readonly (readonly (number | null)[])[];

/**
 * Krippendorff's alpha: how far any number of raters agree beyond chance, even if ratings are missing. 1 is perfect
 * agreement, 0 is what chance would give. `nominal` compares labels, `interval` squares the distance of ratings.
 * Null when it is undefined: no unit was rated twice, or every rating that can be compared is the same.
 */
export function krippendorffAlpha(ratings: RatingMatrix, { level }: { level: 'nominal' | 'interval' }): number | null {
  const units = unitsRated(ratings, 2);
  const all = units.flat();
  if (new Set(all).size < 2) return null;
  const disagreement = level === 'nominal' ? differingPairs : squaredDistances;
  const observed = exactSum(units.map((unit) => disagreement(unit) / (unit.length - 1)));
  const expected = disagreement(all) / (all.length - 1);
  return 1 - observed / expected;
}

/** How many ordered pairs have different labels. */
function differingPairs(ratings: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const rating of ratings) counts.set(rating, (counts.get(rating) ?? 0) + 1);
  let same = 0;
  for (const count of counts.values()) same += count * count;
  return ratings.length * ratings.length - same;
}

/** The sum of the squared distances of all ordered pairs, computed from the mean. */
function squaredDistances(ratings: readonly number[]): number {
  const middle = mean(ratings) ?? 0;
  return 2 * ratings.length * exactSum(ratings.map((rating) => (rating - middle) ** 2));
}

/** The ratings of every unit that has at least `least` of them. */
export function unitsRated(ratings: RatingMatrix, least: number): number[][] {
  return ratings.map((unit) => unit.filter((rating) => rating !== null)).filter((unit) => unit.length >= least);
}

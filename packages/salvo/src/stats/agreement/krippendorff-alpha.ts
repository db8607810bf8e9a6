import { createExactSum, exactSum } from '../exact-sum.ts';
import { mean } from '../mean.ts';

/** One row per unit, one column per rater; null where a rater did not rate. Rows may differ in length. */
export type RatingMatrix = readonly (readonly (number | null)[])[];

/**
 * Krippendorff's alpha: how far any number of raters agree beyond chance, even if ratings are missing. 1 is perfect
 * agreement, 0 is what chance would give. `nominal` compares labels, `interval` squares the distance of ratings.
 * Null when it is undefined: no unit was rated twice, or every rating that can be compared is the same.
 */
export function krippendorffAlpha(ratings: RatingMatrix, { level }: { level: 'nominal' | 'interval' }): number | null {
  const units = ratings.map((unit) => unit.filter((rating) => rating !== null)).filter(({ length }) => length > 1);
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

/** `krippendorffAlpha` at the level of intervals, for units that are added one by one and not kept. */
export function createKrippendorffTally() {
  const observed = createExactSum();
  const sum = createExactSum();
  const squares = createExactSum();
  let count = 0;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  return {
    /** The ratings of one unit; null where a rater did not rate. */
    add(ratings: readonly (number | null)[]): void {
      const unit = ratings.filter((rating) => rating !== null);
      if (unit.length < 2) return;
      const middle = unit.reduce((total, rating) => total + rating, 0) / unit.length;
      const distance = unit.reduce((total, rating) => total + (rating - middle) ** 2, 0);
      observed.add((2 * unit.length * distance) / (unit.length - 1));
      count += unit.length;
      for (const rating of unit) {
        sum.add(rating);
        squares.add(rating * rating);
        low = Math.min(low, rating);
        high = Math.max(high, rating);
      }
    },
    alpha(): number | null {
      if (!(high > low)) return null;
      const expected = (2 * (count * squares.value() - sum.value() ** 2)) / (count - 1);
      return expected > 0 ? 1 - observed.value() / expected : null;
    },
  };
}

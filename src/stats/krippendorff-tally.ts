import { createExactSum } from './exact-sum.ts';

export interface KrippendorffTally {
  /** The ratings of one unit; null where a rater did not rate. */
  add(ratings: readonly (number | null)[]): void;
  alpha(): number | null;
}

/** `krippendorffAlpha` at the level of intervals, for units that are added one by one and not kept. */
export function createKrippendorffTally(): KrippendorffTally {
  const observed = createExactSum();
  const sum = createExactSum();
  const squares = createExactSum();
  let count = 0;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  return {
    add(ratings) {
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
    alpha() {
      if (!(high > low)) return null;
      const expected = (2 * (count * squares.value() - sum.value() ** 2)) / (count - 1);
      return expected > 0 ? 1 - observed.value() / expected : null;
    },
  };
}

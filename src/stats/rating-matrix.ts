/** One row per unit, one column per rater; null where a rater did not rate. Rows may differ in length. */
export type RatingMatrix = readonly (readonly (number | null)[])[];

/** The ratings of every unit that has at least `least` of them. */
export function unitsRated(ratings: RatingMatrix, least: number): number[][] {
  return ratings.map((unit) => unit.filter((rating) => rating !== null)).filter((unit) => unit.length >= least);
}

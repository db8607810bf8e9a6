/** Dollars for a euro. */
const RATE = 1.08;

/** A price in dollars, rounded to cents. */
export function inDollars(euros) {
  return Math.round(euros * RATE * 100) / 100;
}

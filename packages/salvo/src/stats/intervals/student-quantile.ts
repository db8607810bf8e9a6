import { ALPHA_95, twoSidedZ } from './wilson-interval.ts';

/**
 * The point of Student's t for two-sided intervals: of 95%, or those that miss the truth in another share. Exact for 1 and 2 degrees of freedom, else by the
 * expansion of Cornish and Fisher (Abramowitz and Stegun 26.7.5), which is at most 0.12% too small from 3 on.
 */
export function studentQuantile(freedom: number, alpha = ALPHA_95): number {
  if (!(Number.isInteger(freedom) && freedom >= 1)) throw new RangeError(`${freedom} degrees of freedom`);
  if (freedom === 1) return Math.tan((Math.PI * (1 - alpha)) / 2);
  if (freedom === 2) return (1 - alpha) / Math.sqrt(alpha * (1 - alpha / 2));
  const z = twoSidedZ(alpha);
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92160,
  ];
  return terms.reduce((sum, term, index) => sum + term / freedom ** (index + 1), z);
}

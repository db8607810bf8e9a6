import { Z_95 } from './wilson-interval.ts';

/**
 * The share of bootstrap draws to cut off at either end for a 95% interval. With very many clusters it is 2.5%. With
 * few, draws vary less than new samples would, by a factor of sqrt((n - 1) / n), and Student's t accounts for their
 * uncertain spread. Hesterberg (2015), "What Teachers Should Know About the Bootstrap": expanded percentile interval.
 */
export function smallSampleTail(clusters: number): number {
  if (!(Number.isInteger(clusters) && clusters >= 2)) throw new RangeError(`${clusters} clusters have no spread`);
  return normalTail(Math.sqrt(clusters / (clusters - 1)) * studentQuantile(clusters - 1));
}

/** The 97.5% point by Fisher's expansion. Too small for 1 or 2 degrees of freedom, where the tail is nearly 0 anyway. */
function studentQuantile(freedom: number): number {
  const z = Z_95;
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
  ];
  return terms.reduce((sum, term, index) => sum + term / freedom ** (index + 1), z);
}

/** The share of a normal distribution above `z` (at least 0): Abramowitz and Stegun 26.2.17, accurate to 7 digits. */
function normalTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const polynomial = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
}

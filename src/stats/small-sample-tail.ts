import { Z_95 } from './wilson-interval.ts';

/**
 * How much of a bootstrap's draws to leave out at either end for a 95% interval over so many clusters. 2.5% would do for
 * very many; with few, draws differ less than new samples would, by a factor of sqrt((n - 1) / n), and their spread is
 * itself uncertain, which is what Student's t is for. Hesterberg (2015), "What Teachers Should Know About the Bootstrap",
 * calls it the expanded percentile interval.
 */
export function smallSampleTail(clusters: number): number {
  if (!(Number.isInteger(clusters) && clusters >= 2)) throw new RangeError(`${clusters} clusters have no spread`);
  return normalTail(Math.sqrt(clusters / (clusters - 1)) * studentQuantile(clusters - 1));
}

/** The 97.5% point by Fisher's expansion. Too small for 1 or 2 degrees of freedom, where the tail is as good as 0 anyway. */
function studentQuantile(freedom: number): number {
  const z = Z_95;
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
  ];
  return terms.reduce((sum, term, index) => sum + term / freedom ** (index + 1), z);
}

/** The share of a normal distribution above `z` (at least 0): Abramowitz and Stegun 26.2.17, right to 7 digits. */
function normalTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const polynomial = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
}

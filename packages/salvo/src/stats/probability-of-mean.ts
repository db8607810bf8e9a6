import { THRESHOLD_TOLERANCE } from './meets-threshold.ts';

/** A value that is uncertain: each outcome with its probability. */
export interface UncertainScore {
  weight: number;
  outcomes: readonly { value: number; probability: number }[];
}

/** Sums that differ by less are the same one: they are sums of floating-point numbers. */
const FINE = 1e-9;
/** With weights of many digits nearly every sum is another one; then those that differ by less than this are joined. */
const COARSE = 1e-5;
const MOST_SUMS = 20_000;

/**
 * The probability that the weighted mean of independent scores reaches a threshold, by the distribution of the mean. It is
 * exact, unless more than 20,000 different means are possible: then they are rounded to five digits. Null when nothing
 * has weight.
 */
export function probabilityOfMean(scores: readonly UncertainScore[], threshold: number): number | null {
  const counting = scores.filter(({ weight }) => weight > 0);
  // Enormous weights would add up to infinity.
  const largest = Math.max(...counting.map(({ weight }) => weight));
  const total = counting.reduce((sum, { weight }) => sum + weight / largest, 0);
  if (counting.length === 0) return null;
  let means = new Map<number, number>([[0, 1]]);
  let step = FINE;
  for (const { weight, outcomes } of counting) {
    means = added(means, outcomes, { share: weight / largest / total, step });
    if (means.size <= MOST_SUMS || step === COARSE) continue;
    step = COARSE;
    means = added(means, [{ value: 0, probability: 1 }], { share: 1, step });
  }
  let reached = 0;
  for (const [mean, probability] of means) {
    // A rounded mean may be off by half a step for each score.
    if (mean >= threshold - THRESHOLD_TOLERANCE - counting.length * step) reached += probability;
  }
  return Math.min(1, Math.max(0, reached));
}

function added(
  means: ReadonlyMap<number, number>,
  outcomes: UncertainScore['outcomes'],
  { share, step }: { share: number; step: number },
): Map<number, number> {
  const sums = new Map<number, number>();
  for (const [mean, likely] of means) {
    for (const { value, probability } of outcomes) {
      if (probability === 0) continue;
      const sum = Math.round((mean + share * value) / step) * step;
      sums.set(sum, (sums.get(sum) ?? 0) + likely * probability);
    }
  }
  return sums;
}

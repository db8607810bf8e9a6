import { THRESHOLD_TOLERANCE } from './mean.ts';

/** A score that is uncertain: each value from 0 to 1 with its probability. */
export interface UncertainScore {
  weight: number;
  outcomes: readonly { value: number; probability: number }[];
}

/** Sums that differ by less are the same one: they are sums of floating-point numbers. */
const FINE_STEPS = 1e9;
/** With weights of many digits nearly every sum is another one; then they are rounded to five digits. */
const COARSE_STEPS = 1e5;
const MOST_SUMS = 5_000;

/**
 * The probability that the weighted mean of independent scores reaches a threshold, by the distribution of the mean. It is
 * exact, unless more than 5,000 different means are possible: then they are rounded to five digits. Null when nothing has
 * weight.
 */
export function probabilityOfMean(scores: readonly UncertainScore[], threshold: number): number | null {
  const counting = scores.filter(({ weight }) => weight > 0);
  if (counting.length === 0) return null;
  // Enormous weights would add up to infinity.
  const largest = Math.max(...counting.map(({ weight }) => weight));
  const total = counting.reduce((sum, { weight }) => sum + weight / largest, 0);
  const shares = counting.map(({ weight, outcomes }) => ({ share: weight / largest / total, outcomes }));
  const exact = exactMeans(shares);
  const { means, steps } = exact
    ? { means: exact, steps: FINE_STEPS }
    : { means: roundedMeans(shares), steps: COARSE_STEPS };
  // Each score may have been rounded by half a step.
  const least = threshold - THRESHOLD_TOLERANCE - counting.length / steps;
  let reached = 0;
  for (const [step, probability] of means) if (step / steps >= least) reached += probability;
  return Math.min(1, Math.max(0, reached));
}

interface ScoreShare {
  /** Of all weights. */
  share: number;
  outcomes: UncertainScore['outcomes'];
}

/** Each possible mean, as a number of steps, with its probability; null if there are too many. */
function exactMeans(scores: readonly ScoreShare[]): Iterable<[number, number]> | null {
  let means = new Map<number, number>([[0, 1]]);
  for (const { share, outcomes } of scores) {
    const next = new Map<number, number>();
    for (const [mean, likely] of means) {
      for (const { value, probability } of outcomes) {
        if (probability === 0) continue;
        const sum = mean + Math.round(share * value * FINE_STEPS);
        next.set(sum, (next.get(sum) ?? 0) + likely * probability);
      }
    }
    if (next.size > MOST_SUMS) return null;
    means = next;
  }
  return means;
}

function roundedMeans(scores: readonly ScoreShare[]): Iterable<[number, number]> {
  // Rounding up can add a step for each score.
  const length = COARSE_STEPS + scores.length + 1;
  let means = new Float64Array(length);
  means[0] = 1;
  for (const { share, outcomes } of scores) {
    const next = new Float64Array(length);
    for (const { value, probability } of outcomes) {
      if (probability === 0) continue;
      const added = Math.round(share * value * COARSE_STEPS);
      for (let step = 0; step + added < length; step += 1) {
        next[step + added] = (next[step + added] ?? 0) + (means[step] ?? 0) * probability;
      }
    }
    means = next;
  }
  return means.entries();
}

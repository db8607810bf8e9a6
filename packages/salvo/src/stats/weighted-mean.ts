import { exactSum } from './exact-sum.ts';

export interface WeightedScore {
  value: number;
  weight: number;
}

/** Never outside the values and the same in any order; null when nothing has weight. */
export function weightedMean(scores: readonly WeightedScore[]): number | null {
  const counting = scores.filter(({ weight }) => weight > 0);
  if (counting.length === 0) return null;
  const values = counting.map(({ value }) => value);
  // Enormous weights would add up to infinity; to divide by a power of two changes nothing else.
  const unit = 2 ** Math.floor(Math.log2(Math.max(...counting.map(({ weight }) => weight))));
  const sum = exactSum(counting.map(({ value, weight }) => value * (weight / unit)));
  const total = exactSum(counting.map(({ weight }) => weight / unit));
  return Math.min(Math.max(...values), Math.max(Math.min(...values), sum / total));
}

/**
 * The mean without the highest and the lowest score, from three scores on: of three the median is left. Of fewer it is
 * the mean, since nothing would be left.
 */
export function trimmedMean(scores: readonly WeightedScore[]): number | null {
  const sorted = scores.filter(({ weight }) => weight > 0).sort((a, b) => a.value - b.value || a.weight - b.weight);
  return weightedMean(sorted.length < 3 ? sorted : sorted.slice(1, -1));
}

/** Far larger than the rounding error of a sum of weights. */
const TOLERANCE = 1e-9;

/**
 * The value with half of the weight below and half above it, or the middle of two such values. With equal weights it is
 * the ordinary median. The order of the values does not matter. Null when nothing has weight.
 */
export function weightedMedian(values: readonly WeightedScore[]): number | null {
  const sorted = values.filter(({ weight }) => weight > 0).sort((a, b) => a.value - b.value || a.weight - b.weight);
  const half = sorted.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let below = 0;
  for (const [index, { value, weight }] of sorted.entries()) {
    below += weight;
    const next = sorted[index + 1];
    if (next && Math.abs(below - half) <= half * TOLERANCE) return (value + next.value) / 2;
    if (below > half || !next) return value;
  }
  return null;
}

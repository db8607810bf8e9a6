/** Far larger than the rounding error of a sum of weights. */
const TOLERANCE = 1e-9;

/**
 * The value with half of the weight below and half above it, or the middle of two such values. With equal weights it is
 * the ordinary median. The order of the values does not matter. Null when nothing has weight.
 */
export function weightedMedian(values: readonly { value: number; weight: number }[]): number | null {
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

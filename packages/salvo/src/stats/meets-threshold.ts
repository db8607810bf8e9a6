/** Far smaller than any meaningful difference of scores, far larger than rounding errors of sums. */
export const THRESHOLD_TOLERANCE = 1e-9;

/** Whether a score reaches a threshold, allowing for rounding: 0.1 + 0.7 misses 0.8 by the last bit. */
export function meetsThreshold(score: number, threshold: number): boolean {
  return score >= threshold - THRESHOLD_TOLERANCE;
}

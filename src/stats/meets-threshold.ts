/** Far below anything a score can mean, far above what adding up floats gets wrong. */
export const THRESHOLD_TOLERANCE = 1e-9;

/** Whether a score reaches a threshold, with room for sums such as 0.1 + 0.7 that miss 0.8 by the last bit. */
export function meetsThreshold(score: number, threshold: number): boolean {
  return score >= threshold - THRESHOLD_TOLERANCE;
}

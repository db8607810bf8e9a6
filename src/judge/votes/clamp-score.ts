/** A score from 0 to 1, whatever number it was. */
export function clampScore(score: number): number {
  return Math.min(1, Math.max(0, score));
}

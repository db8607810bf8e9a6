/** A score from 0 to 1 with two decimals. Only 1 is `1.00` and only 0 is `0.00`: 0.996 is `0.99`. */
export function scoreText(score: number): string {
  if (score < 1 && score >= 0.995) return '0.99';
  if (score > 0 && score < 0.005) return '0.01';
  return score.toFixed(2);
}

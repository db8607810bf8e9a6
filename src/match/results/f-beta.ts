/**
 * The weighted harmonic mean of precision and recall. `beta` says how many times recall counts as much as precision: 1
 * is F1, 2 is for those whom a missed flaw hurts most, 0.5 for those whom false alarms do. 0 when either is 0.
 */
export function fBeta(precision: number, recall: number, beta: number): number {
  if (!(beta > 0 && Number.isFinite(beta))) throw new RangeError(`beta must be a number above 0, got ${beta}`);
  if (precision === 0 || recall === 0) return 0;
  const weight = beta * beta;
  return ((1 + weight) * precision * recall) / (weight * precision + recall);
}

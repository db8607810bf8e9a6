/**
 * Holm's correction of p values for having made many comparisons: each can be read as if it had been the only one.
 * In the order they came.
 */
export function holmCorrection(pValues: readonly number[]): number[] {
  const order = pValues.map((p, index) => ({ p, index })).toSorted((a, b) => a.p - b.p);
  const corrected = new Array<number>(pValues.length);
  let largest = 0;
  for (const [rank, { p, index }] of order.entries()) {
    largest = Math.max(largest, Math.min(1, p * (order.length - rank)));
    corrected[index] = largest;
  }
  return corrected;
}

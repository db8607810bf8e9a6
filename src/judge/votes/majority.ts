/** Weights add up to a little more or less than they should; nobody wins by that. */
const TOLERANCE = 2e-9;

/** Whether the weight of the passing votes is a strict majority. A tie is none. */
export function isMajority({ passed, failed }: { passed: number; failed: number }): boolean {
  return passed - failed > (passed + failed) * TOLERANCE;
}

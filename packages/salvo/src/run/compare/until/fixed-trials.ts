import { normalQuantile } from '../../../stats/normal.ts';
import { ALPHA } from '../compare-scenario.ts';

/** In how many runs a drop must be found. */
const POWER = 0.8;
/** More trials of a case are no plan. */
const MOST_TRIALS = 10_000;

/**
 * How many trials in all a fixed number would be that shows a drop of the mean over scenarios by so much in four of five
 * runs, beside a baseline that stays as it is. Null if no number does: the baseline has too few trials.
 */
export function fixedTrials(
  scenarios: readonly (readonly { passed: number; scored: number }[])[],
  drop: number,
): number | null {
  const cases = scenarios.reduce((sum, all) => sum + all.length, 0);
  const errors = normalQuantile(ALPHA / 2) + normalQuantile(1 - POWER);
  const isEnough = (trials: number) => {
    const variance = scenarios.reduce((sum, all) => {
      const ofCases = all.reduce((total, { passed, scored }) => {
        const rate = (passed + 0.5) / (scored + 1);
        const after = Math.max(0, rate - drop);
        return total + (rate * (1 - rate)) / scored + (after * (1 - after)) / trials;
      }, 0);
      return sum + ofCases / all.length ** 2;
    }, 0);
    return drop * scenarios.length >= errors * Math.sqrt(variance);
  };
  if (cases === 0 || !isEnough(MOST_TRIALS)) return null;
  let [low, high] = [0, MOST_TRIALS];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high * cases;
}

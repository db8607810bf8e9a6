import { Z_95 } from '../normal.ts';
import { wilsonInterval } from './wilson-interval.ts';

interface Counts {
  passed: number;
  total: number;
}

/**
 * The difference of two independent rates, the first minus the second, with a 95% interval by Newcombe (1998), who joins
 * the Wilson intervals of both. Null when one of them has no trials.
 */
export function rateDifference(first: Counts, second: Counts): { value: number; interval: [number, number] } | null {
  return meanRateDifference([{ first, second }]);
}

/**
 * The mean of the differences of several pairs of independent rates, with an interval of 95% or of another level: Newcombe's way to join
 * intervals, over all of them (Zou and Donner, 2008). Null when one of them has no trials, or there is none.
 */
export function meanRateDifference(
  pairs: readonly { first: Counts; second: Counts }[],
  z = Z_95,
): { value: number; interval: [number, number] } | null {
  if (pairs.length === 0) return null;
  let [value, below, above] = [0, 0, 0];
  for (const { first, second } of pairs) {
    const [ofFirst, ofSecond] = [wilsonInterval(first, z), wilsonInterval(second, z)];
    if (!ofFirst || !ofSecond) return null;
    const [a, b] = [first.passed / first.total, second.passed / second.total];
    value += (a - b) / pairs.length;
    below += (a - ofFirst[0]) ** 2 + (ofSecond[1] - b) ** 2;
    above += (ofFirst[1] - a) ** 2 + (b - ofSecond[0]) ** 2;
  }
  return {
    value,
    interval: [value - Math.sqrt(below) / pairs.length, value + Math.sqrt(above) / pairs.length],
  };
}

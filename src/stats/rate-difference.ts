import { wilsonInterval } from './wilson-interval.ts';

/**
 * The difference of two independent rates, the first minus the second, with a 95% interval by Newcombe (1998), who joins
 * the Wilson intervals of both. Null when one of them has no trials.
 */
export function rateDifference(
  first: { passed: number; total: number },
  second: { passed: number; total: number },
): { value: number; interval: [number, number] } | null {
  const [ofFirst, ofSecond] = [wilsonInterval(first), wilsonInterval(second)];
  if (!ofFirst || !ofSecond) return null;
  const [a, b] = [first.passed / first.total, second.passed / second.total];
  const value = a - b;
  return {
    value,
    interval: [
      value - Math.hypot(a - ofFirst[0], ofSecond[1] - b),
      value + Math.hypot(ofFirst[1] - a, b - ofSecond[0]),
    ],
  };
}

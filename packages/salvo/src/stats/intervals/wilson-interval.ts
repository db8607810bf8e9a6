import { Z_95 } from '../normal.ts';

/**
 * The Wilson score interval of a rate, of 95% or any other level by its `z`. Unlike the normal approximation it holds for
 * few trials and rates of 0 or 1. Null when there were no trials.
 */
export function wilsonInterval(
  { passed, total }: { passed: number; total: number },
  z = Z_95,
): [number, number] | null {
  if (!(passed >= 0 && passed <= total)) throw new RangeError(`${passed} of ${total} is not a rate`);
  if (total === 0) return null;
  const rate = passed / total;
  const [low, high] = wilsonEnds(passed, total, z);
  return [Math.min(low, rate), Math.max(high, rate)];
}

/**
 * Wilson's interval with continuity correction (Newcombe 1998, method 4), of any two-sided level by its `z`: each end is
 * Wilson's with half an item less on its side. Wider than Wilson's, and right where his is too narrow: for rates near 0
 * and 1, and for few trials. Null when there were no trials.
 */
export function correctedWilsonInterval(
  { passed, total }: { passed: number; total: number },
  z = Z_95,
): [number, number] | null {
  if (total === 0) return null;
  return [
    wilsonEnds(Math.max(0, passed - HALF_AN_ITEM), total, z)[0],
    wilsonEnds(Math.min(total, passed + HALF_AN_ITEM), total, z)[1],
  ];
}

const HALF_AN_ITEM = 0.5;

/** For rates of 0 and 1 the bound is exact; computed, it would be off by the last bit. */
function wilsonEnds(passed: number, total: number, z: number): [number, number] {
  const rate = passed / total;
  const z2 = z * z;
  const centre = rate + z2 / (2 * total);
  const half = z * Math.sqrt((rate * (1 - rate)) / total + z2 / (4 * total * total));
  const scale = 1 + z2 / total;
  return [
    passed === 0 ? 0 : Math.max(0, (centre - half) / scale),
    passed === total ? 1 : Math.min(1, (centre + half) / scale),
  ];
}

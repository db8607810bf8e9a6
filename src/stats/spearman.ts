import { averageRanks } from './average-ranks.ts';
import { assertPaired } from './paired.ts';

/**
 * Spearman's rank correlation, ties sharing their average rank: whether one list rises with the other, from -1 to 1.
 * Null when it is undefined: fewer than two values, or a list whose values are all the same.
 */
export function spearman(a: readonly number[], b: readonly number[]): number | null {
  assertPaired(a, b);
  if (a.length < 2) return null;
  // Ranks are halves and their mean is one too: doubled and centred they are whole numbers, and the sums are exact.
  const centred = (values: readonly number[]) => averageRanks(values).map((rank) => 2 * rank - (values.length + 1));
  const [left, right] = [centred(a), centred(b)];
  let product = 0;
  let [ofLeft, ofRight] = [0, 0];
  for (const [index, x] of left.entries()) {
    const y = right[index] ?? 0;
    product += x * y;
    ofLeft += x * x;
    ofRight += y * y;
  }
  if (ofLeft === 0 || ofRight === 0) return null;
  // A root of each: the product of the two sums could leave the range of whole numbers.
  const scale = ofLeft === ofRight ? ofLeft : Math.sqrt(ofLeft) * Math.sqrt(ofRight);
  return Math.min(1, Math.max(-1, product / scale));
}

import { assertPaired } from './cohen-kappa.ts';

/**
 * Spearman's rank correlation, ties sharing their average rank: whether one list rises with the other, from -1 to 1.
 * Null when it is undefined: fewer than two values, or a list whose values are all the same.
 */
export function spearman(a: readonly number[], b: readonly number[]): number | null {
  assertPaired(a, b);
  if (a.length < 2) return null;
  // Ranks and their mean are multiples of one half: doubled and centred they are whole numbers, and sums are exact.
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
  // One root each, because the product of the two sums could exceed the range of exact whole numbers.
  const scale = ofLeft === ofRight ? ofLeft : Math.sqrt(ofLeft) * Math.sqrt(ofRight);
  return Math.min(1, Math.max(-1, product / scale));
}

/** The rank of every value, from 1 for the smallest; equal values share the mean of their ranks. */
function averageRanks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((i, j) => (values[i] ?? 0) - (values[j] ?? 0));
  const ranks = new Array<number>(values.length).fill(0);
  let start = 0;
  while (start < order.length) {
    let end = start + 1;
    while (end < order.length && values[order[end] ?? 0] === values[order[start] ?? 0]) end += 1;
    for (const index of order.slice(start, end)) ranks[index] = (start + 1 + end) / 2;
    start = end;
  }
  return ranks;
}

import { assertPaired } from './cohen-kappa.ts';

/**
 * Kendall's tau-b, from -1 to 1: how much more often two lists order a pair of items alike than not, where neither ties
 * them. Knight's algorithm, n log n.
 * Null when it is undefined: fewer than two values, or a list whose values are all the same.
 */
export function kendall(a: readonly number[], b: readonly number[]): number | null {
  assertPaired(a, b);
  const order = a
    .map((x, index) => ({ x, y: b[index] ?? Number.NaN }))
    .sort((left, right) => left.x - right.x || left.y - right.y);
  const pairs = (order.length * (order.length - 1)) / 2;
  const tiedA = tiedPairs(order, (p, q) => p.x === q.x);
  const tiedBoth = tiedPairs(order, (p, q) => p.x === q.x && p.y === q.y);
  const ofB = Float64Array.from(order, ({ y }) => y);
  const discordant = sortAndCountSwaps(ofB);
  const tiedB = tiedPairs([...ofB], (p, q) => p === q);
  if (tiedA === pairs || tiedB === pairs) return null;
  const surplus = pairs - tiedA - tiedB + tiedBoth - 2 * discordant;
  const scale = tiedA === tiedB ? pairs - tiedA : Math.sqrt(pairs - tiedA) * Math.sqrt(pairs - tiedB);
  return Math.min(1, Math.max(-1, surplus / scale));
}

/** Pairs within runs of equal neighbours. */
function tiedPairs<T>(sorted: readonly T[], equal: (a: T, b: T) => boolean): number {
  let tied = 0;
  let run = 0;
  let before: T | undefined;
  for (const value of sorted) {
    run = before !== undefined && equal(before, value) ? run + 1 : 0;
    tied += run;
    before = value;
  }
  return tied;
}

/** Merge sort in place; returns how many pairs were in the wrong order. */
function sortAndCountSwaps(values: Float64Array): number {
  const merged = new Float64Array(values.length);
  let swaps = 0;
  for (let width = 1; width < values.length; width *= 2) {
    for (let start = 0; start < values.length; start += 2 * width) {
      const middle = Math.min(start + width, values.length);
      const end = Math.min(start + 2 * width, values.length);
      let [left, right] = [start, middle];
      for (let at = start; at < end; at += 1) {
        const takeRight = right < end && (left >= middle || (values[right] ?? 0) < (values[left] ?? 0));
        if (takeRight) swaps += middle - left;
        merged[at] = values[takeRight ? right++ : left++] ?? 0;
      }
    }
    values.set(merged);
  }
  return swaps;
}

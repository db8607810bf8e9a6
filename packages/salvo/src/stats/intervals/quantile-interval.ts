import { quantile } from '../mean.ts';
import { type Groups, shareMeanInterval } from './mean-interval.ts';

const TAIL = 0.025;

/**
 * The 95% interval of a quantile, from one value of the sample to another. For independent values it is exact: the
 * number of values up to the quantile is binomial. Values of one group resemble each other: then the interval for the
 * share of values up to the quantile (Woodruff 1952) may be wider. Null if the sample has too few values for an upper
 * end: fewer than 72 for the 95% quantile, fewer than 6 for the median.
 */
export function quantileInterval(groups: Groups, q: number): [number, number] | null {
  const sorted = groups.flat().sort((a, b) => a - b);
  const estimate = quantile(sorted, q);
  const ranks = binomialRanks(sorted.length, q);
  if (estimate === null || !ranks) return null;
  const isGrouped = groups.filter((group) => group.length > 0).length > 1;
  const below = (value: number): number => (value <= estimate ? 1 : 0);
  const shares = isGrouped ? shareMeanInterval(groups.map((group) => group.map(below))) : null;
  const first = Math.min(ranks[0], Math.floor((shares?.[0] ?? 1) * sorted.length));
  const last = Math.max(ranks[1], Math.ceil((shares?.[1] ?? 0) * sorted.length));
  const low = sorted[Math.max(0, first - 1)];
  const high = sorted[Math.min(sorted.length, last) - 1];
  return low === undefined || high === undefined ? null : [low, high];
}

/** The ranks, from 1, of two values with the quantile between them; null if even the extremes are not sure enough. */
function binomialRanks(size: number, q: number): [number, number] | null {
  let first = 0;
  let last = size + 1;
  let logTerm = size * Math.log(1 - q);
  let sum = 0;
  for (let count = 0; count < size; count += 1) {
    sum += Math.exp(logTerm);
    // At most so many values are below the quantile with this chance.
    if (sum <= TAIL) first = count + 1;
    if (sum >= 1 - TAIL) {
      last = count + 1;
      break;
    }
    logTerm += Math.log(((size - count) * q) / ((count + 1) * (1 - q)));
  }
  return first >= 1 && last <= size ? [first, last] : null;
}

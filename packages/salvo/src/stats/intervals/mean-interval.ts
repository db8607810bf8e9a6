import { exactSum } from '../exact-sum.ts';
import { studentQuantile } from '../normal.ts';
import { seededRandom } from '../seeded-random.ts';
import { clusterIntervals } from './cluster-intervals.ts';

/** Values of one group resemble each other. A single group says nothing about groups: then each value is one. */
export type Groups = readonly (readonly number[])[];

interface Total {
  sum: number;
  count: number;
}

/** The 95% interval of the mean of values from 0 to 1. Null with fewer than two groups or values. */
export function shareMeanInterval(groups: Groups): [number, number] | null {
  const rate = (kept: readonly Total[]): number => total(kept, 'sum') / total(kept, 'count');
  const random = seededRandom(0, 'means');
  const intervals = clusterIntervals({ clusters: totals(groups), metrics: (kept) => [rate(kept)], random });
  return intervals?.[0] ?? null;
}

/**
 * The 95% interval of the mean of values that are not negative, such as costs: Student's t on the logarithmic scale,
 * because they have no upper limit. Null with fewer than two groups or values.
 */
export function positiveMeanInterval(groups: Groups): [number, number] | null {
  const all = totals(groups);
  if (all.length < 2) return null;
  const count = total(all, 'count');
  const mean = total(all, 'sum') / count;
  if (mean <= 0) return [0, 0];
  const squares = all.map((group) => (group.sum - mean * group.count) ** 2);
  const error = Math.sqrt((all.length / (all.length - 1)) * exactSum(squares)) / count;
  const reach = Math.exp((studentQuantile(all.length - 1) * error) / mean);
  return [mean / reach, mean * reach];
}

function totals(groups: Groups): Total[] {
  const filled = groups.filter((group) => group.length > 0);
  const [only, ...others] = filled;
  const units = only && others.length === 0 ? only.map((value) => [value]) : filled;
  return units.map((values) => ({ sum: exactSum(values), count: values.length })).sort(bySize);
}

/** In an order of their own, so that the interval does not depend on the order of the values. */
function bySize(a: Total, b: Total): number {
  return a.sum - b.sum || a.count - b.count;
}

function total(totals: readonly Total[], of: keyof Total): number {
  return exactSum(totals.map((each) => each[of]));
}

import { meetsThreshold } from '../mean.ts';
import { normalTail } from '../normal.ts';
import { approximateTest, sum, type TestedDifference } from './test-inversion.ts';

/** Values of two independent samples under the same conditions, such as the trials of one case. */
export interface TwoSamples {
  first: readonly number[];
  second: readonly number[];
}

/** A difference as a sum of parts. In each part it could be chance which result belongs to which side. */
export interface ExchangeableParts {
  /** What each pair adds. Swapped, it adds the opposite. */
  pairs: readonly number[];
  /** Each adds its weight times the difference of its means, the first minus the second. */
  samples: readonly (TwoSamples & { weight: number })[];
}

const DRAWS = 10_000;
/** The lowest p that draws can show. */
export const LOWEST_P = 2 / (DRAWS + 1);
/** From so many values on, the sum is normal for all purposes. */
const MANY_VALUES = 2000;

/**
 * A permutation test over different kinds of evidence: how likely a sum at least this far from 0 is if pairs could be
 * swapped, and values moved between the two samples of a part. 10,000 exchanges are drawn, and the observed one counts as
 * one more; of very many values, the normal approximation is used. Null without a part.
 */
export function pooledPermutationTest(
  { pairs, samples }: ExchangeableParts,
  random: () => number,
  alpha?: number,
): TestedDifference | null {
  if (pairs.length + samples.length === 0) return null;
  const pools = samples.map(({ first, second, weight }) => ({
    values: Float64Array.from([...first, ...second]),
    size: first.length,
    total: sum(first) + sum(second),
    weight,
  }));
  const observed = sum(pairs) + sum(pools.map(contribution));
  const values = pairs.length + sum(pools.map((pool) => pool.values.length));
  const spread = Math.sqrt(sum(pairs.map((each) => each ** 2)) + sum(pools.map(variance)));
  if (spread === 0) return { p: 1, interval: [observed, observed] };
  const p =
    values >= MANY_VALUES
      ? Math.min(1, 2 * normalTail(Math.abs(observed) / spread))
      : pOfDraws(
          // What does not vary adds nothing, however it is exchanged.
          pairs.filter((each) => each !== 0),
          pools.filter((pool) => variance(pool) > 0),
          observed,
          random,
        );
  return approximateTest(observed, p, spread, alpha);
}

/** Twice the smaller tail. */
function pOfDraws(pairs: readonly number[], pools: readonly Pool[], observed: number, random: () => number): number {
  let [above, below] = [1, 1];
  for (let draw = 0; draw < DRAWS; draw += 1) {
    let drawn = 0;
    for (const each of pairs) drawn += random() < 0.5 ? each : -each;
    for (const pool of pools) {
      shuffleFirst(pool, random);
      drawn += contribution(pool);
    }
    if (meetsThreshold(drawn, observed)) above += 1;
    if (meetsThreshold(-drawn, -observed)) below += 1;
  }
  return Math.min(1, (2 * Math.min(above, below)) / (DRAWS + 1));
}

interface Pool {
  /** Those of the first sample first. */
  values: Float64Array;
  size: number;
  total: number;
  weight: number;
}

function contribution({ values, size, total, weight }: Pool): number {
  let inFirst = 0;
  for (let i = 0; i < size; i += 1) inFirst += values[i] ?? 0;
  return weight * (inFirst / size - (total - inFirst) / (values.length - size));
}

/** Of the contribution, over all ways to draw the first sample. */
function variance({ values, size, total, weight }: Pool): number {
  const middle = total / values.length;
  const squares = sum(values.map((value) => (value - middle) ** 2));
  const other = values.length - size;
  return weight ** 2 * (squares / (values.length - 1)) * (1 / size + 1 / other);
}

/** Fisher and Yates's shuffle, as far as the first sample goes. */
function shuffleFirst({ values, size }: Pool, random: () => number): void {
  for (let i = 0; i < size; i += 1) {
    const j = i + Math.floor(random() * (values.length - i));
    const value = values[i] ?? 0;
    values[i] = values[j] ?? 0;
    values[j] = value;
  }
}

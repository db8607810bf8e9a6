import { effectiveSize } from '../agreement/effective-size.ts';
import { Z_95 } from '../normal.ts';
import { pairedSumTest } from './paired-tests.ts';
import { agreedInterval, type TestedDifference } from './test-inversion.ts';

/** What two raters got right of the same item. */
export interface PairedItem {
  first: boolean;
  second: boolean;
  /** Items of one cluster, such as the trials of one case, may be alike. */
  cluster: string;
}

export interface PairedDifference extends TestedDifference {
  /** The rate of the first minus the rate of the second. */
  difference: number;
}

/**
 * The difference of two rates on the same items. The test swaps the two raters in whole clusters; if every item is a
 * cluster of its own, it is McNemar's exact test. The interval is that of Bonett and Price (2012), of as many items as
 * these are worth, or the wider one of the test, and agrees with the test about 0. Null without items.
 */
export function pairedRateDifference(items: readonly PairedItem[], random: () => number): PairedDifference | null {
  const moved = items.map(({ first, second, cluster }) => ({ by: Number(first) - Number(second), cluster }));
  const clusters = [...Map.groupBy(moved, ({ cluster }) => cluster).values()];
  const tested = pairedSumTest(
    clusters.map((group) => group.reduce((sum, { by }) => sum + by, 0)),
    random,
  );
  if (!tested) return null;
  const count = items.length;
  const difference = moved.reduce((sum, { by }) => sum + by, 0) / count;
  const worth = effectiveSize(moved.map(({ by, cluster }) => ({ cluster, weight: 1, influence: by - difference })));
  const shareOf = (way: number) => moved.filter(({ by }) => by === way).length / count;
  const interval = agreedInterval(estimatedInterval([shareOf(1), shareOf(-1)], worth), {
    p: tested.p,
    interval: [tested.interval[0] / count, tested.interval[1] / count],
  });
  return { difference, p: tested.p, interval: [Math.min(interval[0], difference), Math.max(interval[1], difference)] };
}

/** With one item more on either side, so that raters who never differ do not get an interval from 0 to 0. */
function estimatedInterval(shares: readonly [number, number], worth: number): [number, number] {
  if (worth === 0) return [-1, 1];
  const [first, second] = shares.map((share) => (share * worth + 1) / (worth + 2)) as [number, number];
  const reach = Z_95 * Math.sqrt((first + second - (first - second) ** 2) / (worth + 2));
  return [first - second - reach, first - second + reach];
}

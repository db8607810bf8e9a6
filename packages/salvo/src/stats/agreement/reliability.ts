import { exactSum } from '../exact-sum.ts';
import { clusterIntervals } from '../intervals/cluster-intervals.ts';
import { correctedWilsonInterval } from '../intervals/wilson-interval.ts';
import { mean } from '../mean.ts';
import { normalQuantile } from '../normal.ts';
import { seededRandom } from '../seeded-random.ts';
import { clusterRate } from './cluster-rate.ts';

/** How likely something was said to be true, and whether it is. */
export interface Forecast {
  probability: number;
  isTrue: boolean;
  /** Items of one cluster may be alike. */
  cluster: string;
}

/** Items that were given about the same probability. */
interface ReliabilityBin {
  /** The lowest and the highest probability. */
  range: [number, number];
  items: number;
  /** The mean probability. */
  said: number;
  /** How often it was true, with a 95% interval. */
  observed: number;
  interval: [number, number];
  /** The interval of which all bins together contain the truth in 95%. */
  jointInterval: [number, number];
}

export interface Reliability {
  /** The mean squared error of the probabilities (Brier). */
  brier: number;
  /** Null with a single cluster. */
  brierInterval: [number, number] | null;
  /** The expected calibration error: how far what was said is from what was observed, over the bins. */
  calibrationError: number;
  calibrationErrorInterval: [number, number];
  /** What so few items of perfect probabilities would show on average. */
  calibrationErrorByChance: number;
  bins: ReliabilityBin[];
}

/** Probabilities with few values, such as shares of votes, have a bin for each value. */
const MOST_VALUES = 6;
const BINS = 5;
/** The 95% points of chi squared with 1 to 6 degrees of freedom. */
const CHI_SQUARED = [3.841, 5.991, 7.815, 9.488, 11.07, 12.592];
const ALPHA = 0.05;

/**
 * Whether probabilities can be taken at their word. Bins depend on the probabilities alone: one for each value if there
 * are few values, else five of about the same number of items.
 *
 * The expected calibration error is never below 0, so chance makes it too large. Its interval has all errors that are
 * possible if no more than 5% of samples show bins as far from the truth as these: conservative, and down to 0 if
 * perfect probabilities could show the same. It excludes 0 if the joint interval of a bin excludes what was said. Null
 * without items.
 */
export function reliabilityOf(forecasts: readonly Forecast[]): Reliability | null {
  if (forecasts.length === 0) return null;
  const groups = binsOf(forecasts);
  const z = normalQuantile(ALPHA / (2 * groups.length));
  const bins = groups.map((group) => binOf(group, z));
  const shares = bins.map(({ items, said, observed, jointInterval, error }) => ({
    share: items / forecasts.length,
    gap: Math.abs(said - observed),
    sure: Math.max(0, jointInterval[0] - said, said - jointInterval[1]),
    error,
  }));
  const calibrationError = shares.reduce((sum, { share, gap }) => sum + share * gap, 0);
  const squares = shares.reduce((sum, { share, error }) => sum + (share * error) ** 2, 0);
  const reach = Math.sqrt((CHI_SQUARED[bins.length - 1] ?? 0) * squares);
  const atLeast = shares.reduce((sum, { share, sure }) => sum + share * sure, 0);
  const byCluster = Map.groupBy(forecasts, ({ cluster }) => cluster);
  const squaresOf = (group: readonly Forecast[]) =>
    group.map(({ probability, isTrue }) => (probability - Number(isTrue)) ** 2);
  return {
    brier: mean(squaresOf(forecasts)) ?? 0,
    brierInterval: meanInterval([...byCluster.values()].map(squaresOf)),
    calibrationError,
    calibrationErrorInterval: [Math.max(atLeast, calibrationError - reach), Math.min(1, calibrationError + reach)],
    // The mean distance of a normal variable from its mean.
    calibrationErrorByChance: shares.reduce((sum, { share, error }) => sum + share * error, 0) * Math.sqrt(2 / Math.PI),
    bins: bins.map(({ error: _, ...bin }) => bin),
  };
}

/** Half an item that is wholly right and half an item that is wholly wrong. */
const IMAGINED = [
  { sum: 0, count: 0.5 },
  { sum: 0.5, count: 0.5 },
];

/**
 * The interval of a mean of squared errors. Few items seldom have the large errors that good probabilities seldom make,
 * so that the upper end is that with one item more, which is imagined: without it, the truth would often be above.
 */
function meanInterval(groups: readonly (readonly number[])[]): [number, number] | null {
  const totals = groups.map((values) => ({ sum: exactSum(values), count: values.length }));
  const endsOf = (clusters: typeof totals) =>
    clusterIntervals({ clusters, metrics: (kept) => [shareOf(kept)], random: seededRandom('squared errors') })?.[0];
  const [own, withImagined] = [endsOf(totals), endsOf([...totals, ...IMAGINED])];
  return own && withImagined ? [own[0], Math.max(own[1], withImagined[1])] : null;
}

/** Plain sums, because it is called for each cluster that is left out. */
function shareOf(totals: readonly { sum: number; count: number }[]): number {
  let [all, items] = [0, 0];
  for (const { sum, count } of totals) {
    all += sum;
    items += count;
  }
  return all / items;
}

/** In the order of their probabilities. Equal probabilities are in one bin. */
function binsOf(forecasts: readonly Forecast[]): Forecast[][] {
  const byValue = Map.groupBy(
    forecasts.toSorted((a, b) => a.probability - b.probability),
    ({ probability }) => probability,
  );
  const values = [...byValue.values()];
  if (values.length <= MOST_VALUES) return values;
  const bins: Forecast[][] = [];
  let before = 0;
  for (const group of values) {
    const bin = Math.min(BINS - 1, Math.floor(((before + group.length / 2) / forecasts.length) * BINS));
    bins[bin] = [...(bins[bin] ?? []), ...group];
    before += group.length;
  }
  return bins.filter((bin) => bin !== undefined);
}

function binOf(group: readonly Forecast[], z: number): ReliabilityBin & { error: number } {
  const said = group.map(({ probability }) => probability);
  const { rate, worth } = clusterRate(group) ?? { rate: 0, worth: 0 };
  const count = { passed: rate * worth, total: worth };
  // One success and one failure more: a bin of successes alone does not have an error of 0.
  const smoothed = (count.passed + 1) / (worth + 2);
  return {
    range: [Math.min(...said), Math.max(...said)],
    items: group.length,
    said: mean(said) ?? 0,
    observed: rate,
    interval: correctedWilsonInterval(count) ?? [0, 1],
    jointInterval: correctedWilsonInterval(count, z) ?? [0, 1],
    error: worth === 0 ? 1 : Math.sqrt((smoothed * (1 - smoothed)) / worth),
  };
}

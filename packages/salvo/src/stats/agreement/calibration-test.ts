import { mean } from '../mean.ts';
import type { Forecast } from './reliability.ts';

export interface CalibrationTest {
  /** How likely outcomes this far from the probabilities are, if the probabilities are right. */
  p: number;
  /** In which way they are wrong, if they are. */
  kind: 'too sure' | 'not sure enough' | 'too high' | 'too low';
}

/** Fewer clusters say too little about how alike the items of a cluster are. */
const FEWEST_CLUSTERS = 4;

/**
 * Tests whether probabilities are right, all together instead of bin by bin: Cox's test of a logistic regression of the
 * outcomes on the logit of the probabilities, with intercept 0 and slope 1 (Cox 1958; Miller et al. 1991), as a score
 * test. Clusters divide each of the two scores by its design effect, with an F distribution for their number.
 *
 * Probabilities within `certain` of 0 or 1 claim no more than that. Null with fewer than four clusters, or if all
 * probabilities are the same.
 */
export function calibrationTest(forecasts: readonly Forecast[], certain: number): CalibrationTest | null {
  const clusters = new Map<string, number>();
  for (const { cluster } of forecasts) clusters.set(cluster, clusters.get(cluster) ?? clusters.size);
  if (clusters.size < FEWEST_CLUSTERS || new Set(forecasts.map(({ probability }) => probability)).size < 2) return null;
  const said = claims(forecasts, certain);
  const logits = said.map((each) => Math.log(each / (1 - each)));
  const variances = said.map((each) => each * (1 - each));
  const total = sum(variances);
  // Centred, so that the two scores are uncorrelated.
  const centre = sum(variances.map((variance, at) => variance * (logits[at] ?? 0))) / total;
  const slopes = logits.map((logit) => logit - centre);
  const ofSlopes = sum(variances.map((variance, at) => variance * (slopes[at] ?? 0) ** 2));
  const misses = forecasts.map(({ isTrue }, at) => Number(isTrue) - (said[at] ?? 0));
  const places = forecasts.map(({ cluster }) => clusters.get(cluster) ?? 0);
  const count = clusters.size;
  const height = standardScore(
    misses.map((miss) => miss / Math.sqrt(total)),
    places,
    count,
  );
  const tilt = standardScore(
    misses.map((miss, at) => (ofSlopes === 0 ? 0 : (miss * (slopes[at] ?? 0)) / Math.sqrt(ofSlopes))),
    places,
    count,
  );
  const statistic = height ** 2 + tilt ** 2;
  const freedom = count - 2;
  return {
    p: count === forecasts.length ? Math.exp(-statistic / 2) : (1 + statistic / freedom) ** (-freedom / 2),
    kind: kindOf(height, tilt),
  };
}

/** Of items within `certain` of 0 or 1, the claim is as much as their outcomes bear out. */
function claims(forecasts: readonly Forecast[], certain: number): number[] {
  const atMost = (limit: number) => forecasts.filter(({ probability }) => probability < limit);
  const shareOf = (items: readonly Forecast[]) => mean(items.map(({ isTrue }) => Number(isTrue))) ?? 0;
  const low = within(shareOf(atMost(certain)), MOST_CERTAIN, certain);
  const high = within(
    shareOf(forecasts.filter(({ probability }) => probability > 1 - certain)),
    1 - certain,
    1 - MOST_CERTAIN,
  );
  return forecasts.map(({ probability }) =>
    probability < certain ? low : probability > 1 - certain ? high : probability,
  );
}

/** A single surprise would refute what is certain, whatever else is true. */
const MOST_CERTAIN = 0.001;

function within(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** The sum of independent parts of variance 1 in all, or less if the parts of a cluster are alike. */
function standardScore(parts: readonly number[], places: readonly number[], clusters: number): number {
  const score = sum(parts);
  if (clusters === parts.length) return score;
  const ofClusters = new Float64Array(clusters);
  for (const [at, part] of parts.entries()) {
    const place = places[at] ?? 0;
    ofClusters[place] = (ofClusters[place] ?? 0) + part - score / parts.length;
  }
  const variance = (clusters / (clusters - 1)) * ofClusters.reduce((squares, each) => squares + each ** 2, 0);
  return score / Math.sqrt(Math.max(1, variance));
}

function kindOf(height: number, tilt: number): CalibrationTest['kind'] {
  if (Math.abs(tilt) >= Math.abs(height)) return tilt < 0 ? 'too sure' : 'not sure enough';
  return height < 0 ? 'too high' : 'too low';
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

import { seededRandom } from '../seeded-random.ts';
import type { Forecast } from './reliability.ts';

export interface CalibrationTest {
  /** How likely outcomes this far from the probabilities are, if the probabilities are right. */
  p: number;
  /** In which way they are wrong, if they are. */
  kind: 'too sure' | 'not sure enough' | 'too high' | 'too low';
}

/** Fewer clusters say too little about how alike the items of a cluster are. */
const FEWEST_CLUSTERS = 4;

/** Outcomes that are drawn at most to learn how far from the probabilities chance alone leads. */
const MOST_DRAWS = 999;

/** After so many draws that are as far off, more of them would not make the p value small (Besag and Clifford 1991). */
const FURTHER_DRAWS = 30;

/** A single surprise would refute what is certain, whatever else is true. */
const MOST_CERTAIN = 0.001;

/**
 * Tests whether probabilities are right, all together instead of bin by bin: Cox's test of a logistic regression of the
 * outcomes on the logit of the probabilities, with intercept 0 and slope 1 (Cox 1958; Miller et al. 1991), as a score
 * test. Its p value is the share of drawn outcomes that are as far off. Draws with outcomes of one kind are left out,
 * because such labels are never tested. Of clusters, the covariance of the scores between clusters counts as well
 * (Hotelling's T²): the larger p value is taken.
 *
 * Probabilities within `certain` of 0 or 1 claim no more than that. Null with fewer than four clusters, or if all
 * probabilities are the same.
 */
export function calibrationTest(forecasts: readonly Forecast[], certain: number): CalibrationTest | null {
  const clusters = new Map<string, number>();
  for (const { cluster } of forecasts) clusters.set(cluster, clusters.get(cluster) ?? clusters.size);
  if (clusters.size < FEWEST_CLUSTERS || new Set(forecasts.map(({ probability }) => probability)).size < 2) return null;
  const items = forecasts.length;
  const said = Float64Array.from(forecasts, ({ probability }) => probability);
  const outcomes = Float64Array.from(forecasts, ({ isTrue }) => Number(isTrue));
  const claimed = claims(said, outcomes, certain);
  const { heights, tilts } = scoresOf(claimed, outcomes);
  const [height, tilt] = [sum(heights), sum(tilts)];
  const statistic = height ** 2 + tilt ** 2;
  const random = seededRandom('calibration test', items);
  let draws = 0;
  let further = 0;
  while (draws < MOST_DRAWS && further < FURTHER_DRAWS) {
    const drawn = drawnOutcomes(claimed, random);
    const scores = scoresOf(claims(said, drawn, certain), drawn);
    draws += 1;
    if (sum(scores.heights) ** 2 + sum(scores.tilts) ** 2 >= statistic * (1 - 1e-9)) further += 1;
  }
  const byChance = further === FURTHER_DRAWS ? further / draws : (further + 1) / (draws + 1);
  const kind = kindOf(height, tilt);
  if (clusters.size === items) return { p: byChance, kind };
  const places = forecasts.map(({ cluster }) => clusters.get(cluster) ?? 0);
  return { p: Math.max(byChance, betweenClusters({ heights, tilts }, places, clusters.size)), kind };
}

/** Of items within `certain` of 0 or 1, the claim is as much as their outcomes bear out. */
function claims(said: Float64Array, outcomes: Float64Array, certain: number): Float64Array {
  const [low, high] = [
    { items: 0, passed: 0 },
    { items: 0, passed: 0 },
  ];
  for (let at = 0; at < said.length; at += 1) {
    const probability = said[at] ?? 0;
    const side = probability < certain ? low : probability > 1 - certain ? high : null;
    if (!side) continue;
    side.items += 1;
    side.passed += outcomes[at] ?? 0;
  }
  const lowest = within(low.passed / Math.max(1, low.items), MOST_CERTAIN, certain);
  const highest = within(high.passed / Math.max(1, high.items), 1 - certain, 1 - MOST_CERTAIN);
  return said.map((probability) =>
    probability < certain ? lowest : probability > 1 - certain ? highest : probability,
  );
}

/** What each item adds to the two scores. */
interface Scores {
  /** Whether outcomes are more frequent than claimed. */
  heights: Float64Array;
  /** Whether they differ more than claimed. */
  tilts: Float64Array;
}

/** Of independent items, the two scores are uncorrelated and have variance 1. */
function scoresOf(claimed: Float64Array, outcomes: Float64Array): Scores {
  const logits = claimed.map((each) => Math.log(each / (1 - each)));
  let total = 0;
  let centre = 0;
  for (let at = 0; at < claimed.length; at += 1) {
    const variance = varianceOf(claimed[at] ?? 0);
    total += variance;
    centre += variance * (logits[at] ?? 0);
  }
  centre /= total;
  let ofSlopes = 0;
  for (let at = 0; at < claimed.length; at += 1) {
    ofSlopes += varianceOf(claimed[at] ?? 0) * ((logits[at] ?? 0) - centre) ** 2;
  }
  const misses = outcomes.map((outcome, at) => outcome - (claimed[at] ?? 0));
  const unit = ofSlopes === 0 ? 0 : 1 / Math.sqrt(ofSlopes);
  return {
    heights: misses.map((miss) => miss / Math.sqrt(total)),
    tilts: misses.map((miss, at) => miss * ((logits[at] ?? 0) - centre) * unit),
  };
}

function varianceOf(probability: number): number {
  return probability * (1 - probability);
}

/** Of both kinds, unless that hardly ever happens. */
function drawnOutcomes(claimed: Float64Array, random: () => number): Float64Array {
  for (let attempt = 0; ; attempt += 1) {
    const outcomes = claimed.map((each) => Number(random() < each));
    const passed = sum(outcomes);
    if ((passed > 0 && passed < claimed.length) || attempt === 50) return outcomes;
  }
}

/** The p value of both scores by their covariance between clusters, which is never less than that of independent items. */
function betweenClusters({ heights, tilts }: Scores, places: readonly number[], clusters: number): number {
  const sumsOf = (parts: Float64Array): Float64Array => {
    const sums = new Float64Array(clusters);
    const centre = sum(parts) / parts.length;
    for (const [at, part] of parts.entries()) {
      const place = places[at] ?? 0;
      sums[place] = (sums[place] ?? 0) + part - centre;
    }
    return sums;
  };
  const [ofHeights, ofTilts] = [sumsOf(heights), sumsOf(tilts)];
  const covariance = (one: Float64Array, other: Float64Array) =>
    (clusters / (clusters - 1)) * one.reduce((total, each, at) => total + each * (other[at] ?? 0), 0);
  const [high, tilted] = [covariance(ofHeights, ofHeights), covariance(ofTilts, ofTilts)];
  const height = sum(heights) / Math.sqrt(Math.max(1, high));
  const tilt = sum(tilts) / Math.sqrt(Math.max(1, tilted));
  const product = Math.sqrt(high * tilted);
  const correlation = product === 0 ? 0 : within(covariance(ofHeights, ofTilts) / product, -0.99, 0.99);
  const together = (height ** 2 - 2 * correlation * height * tilt + tilt ** 2) / (1 - correlation ** 2);
  // Few clusters say little about the correlation.
  const squared = Math.min(together, height ** 2 + tilt ** 2);
  return (1 + squared / (clusters - 1)) ** (-(clusters - 2) / 2);
}

function kindOf(height: number, tilt: number): CalibrationTest['kind'] {
  if (Math.abs(tilt) >= Math.abs(height)) return tilt < 0 ? 'too sure' : 'not sure enough';
  return height < 0 ? 'too high' : 'too low';
}

function within(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

function sum(values: Float64Array): number {
  let total = 0;
  for (let at = 0; at < values.length; at += 1) total += values[at] ?? 0;
  return total;
}

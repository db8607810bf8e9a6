import { studentQuantile, Z_95 } from '../normal.ts';
import { type CorrectedRate, type CountedRate, roganGladen } from './corrected-rate.ts';

/** How often a judge was right on the labels of one group, such as a scenario. */
export interface GroupErrors {
  sensitivity: CountedRate;
  specificity: CountedRate;
}

/**
 * The true pass rate of a group that has no labels of its own, or too few, from the labels of other groups. Like
 * `correctedRate`, but a judge errs more often in one group than in another: the interval is wider by the variance
 * between groups, and by Student's t because the groups are few.
 * Null when it can't be computed: fewer than three groups with both kinds of labels, or a judge no better than chance.
 */
export function correctedRateElsewhere(observed: CountedRate, groups: readonly GroupErrors[]): CorrectedRate | null {
  if (observed.total === 0) return null;
  const sensitivity = predict(groups.map((group) => group.sensitivity));
  const specificity = predict(groups.map((group) => group.specificity));
  const power = sensitivity.rate + specificity.rate - 1;
  if (Math.min(sensitivity.groups, specificity.groups) < 3 || power <= 0) return null;
  const rate = roganGladen({
    observed,
    sensitivity: sumOf(groups.map((group) => group.sensitivity)),
    specificity: sumOf(groups.map((group) => group.specificity)),
  });
  if (rate === null) return null;
  const bounds = [
    rate,
    ...boundsAround({ observed, sensitivity, specificity }),
    ...possibleRates({ observed, sensitivity, specificity }),
  ];
  return { rate, interval: [Math.max(0, Math.min(...bounds)), Math.min(1, Math.max(...bounds))] };
}

interface Prediction {
  rate: number;
  variance: number;
  groups: number;
}

interface Known {
  observed: CountedRate;
  sensitivity: Prediction;
  specificity: Prediction;
}

/** The share that the judge passed, with a few added observations as in Wilson's interval; and Student's t. */
function measured({ observed, sensitivity, specificity }: Known) {
  const size = observed.total + Z_95 ** 2;
  const seen = (observed.passed + Z_95 ** 2 / 2) / size;
  const t = studentQuantile(Math.min(sensitivity.groups, specificity.groups) - 1);
  return { seen, ofSeen: Z_95 ** 2 * ((seen * (1 - seen)) / size), t };
}

/** Around the estimate, by the variance at the estimate (delta method). */
function boundsAround(known: Known): [number, number] {
  const { sensitivity, specificity } = known;
  const { seen, ofSeen, t } = measured(known);
  const power = sensitivity.rate + specificity.rate - 1;
  const middle = (seen + specificity.rate - 1) / power;
  const share = Math.min(1, Math.max(0, middle));
  const ofJudge = share ** 2 * sensitivity.variance + (1 - share) ** 2 * specificity.variance;
  const half = Math.sqrt(ofSeen + t ** 2 * ofJudge) / power;
  return [middle - half, middle + half];
}

/**
 * The least and the greatest true rate that would explain what was seen, each by the variance at that rate (Fieller). An
 * estimate of 0 says nothing about the sensitivity: a judge that passes nothing explains it at any true rate.
 */
function possibleRates(known: Known): number[] {
  const { sensitivity, specificity } = known;
  const { seen, ofSeen, t } = measured(known);
  const power = sensitivity.rate + specificity.rate - 1;
  const missing = seen - (1 - specificity.rate);
  const a = power ** 2 - t ** 2 * (sensitivity.variance + specificity.variance);
  const b = -2 * power * missing + 2 * t ** 2 * specificity.variance;
  const c = missing ** 2 - ofSeen - t ** 2 * specificity.variance;
  const root = Math.sqrt(Math.max(0, b ** 2 - 4 * a * c));
  const isPossible = (rate: number): boolean => rate >= 0 && rate <= 1 && a * rate ** 2 + b * rate + c <= 1e-9;
  return [0, 1, (-b - root) / (2 * a), (-b + root) / (2 * a)].filter(isPossible);
}

/**
 * The rate to expect of a further group, and its variance. The correlation within groups is estimated by the method of
 * moments for the beta-binomial distribution. One imagined success and failure keep a rate from being exactly 0 or 1.
 */
function predict(all: readonly CountedRate[]): Prediction {
  const groups = all.filter(({ total }) => total > 0);
  const { passed, total } = sumOf(groups);
  const rate = (passed + 1) / (total + 2);
  const spread = rate * (1 - rate);
  const distance = groups.reduce((sum, each) => sum + each.total * (each.passed / each.total - passed / total) ** 2, 0);
  const squares = groups.reduce((sum, each) => sum + each.total ** 2, 0);
  const freedom = groups.length - 1;
  const informative = total - squares / total - freedom;
  // With one label in each group, nothing tells groups from labels: they may differ completely.
  const correlation = informative > 0 ? Math.min(1, Math.max(0, (distance / spread - freedom) / informative)) : 1;
  const between = correlation * spread;
  const ofMean = (between * squares) / total ** 2 + (spread - between) / (total + 2);
  return { rate, variance: between + ofMean, groups: groups.length };
}

function sumOf(rates: readonly CountedRate[]): CountedRate {
  return {
    passed: rates.reduce((sum, { passed }) => sum + passed, 0),
    total: rates.reduce((sum, { total }) => sum + total, 0),
  };
}

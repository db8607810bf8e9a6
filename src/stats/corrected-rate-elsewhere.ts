import { type CorrectedRate, type CountedRate, roganGladen } from './corrected-rate.ts';
import { studentQuantile } from './student-quantile.ts';
import { Z_95 } from './wilson-interval.ts';

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
  const size = observed.total + Z_95 ** 2;
  const seen = (observed.passed + Z_95 ** 2 / 2) / size;
  const middle = (seen + specificity.rate - 1) / power;
  const share = Math.min(1, Math.max(0, middle));
  const ofJudge = share ** 2 * sensitivity.variance + (1 - share) ** 2 * specificity.variance;
  const t = studentQuantile(Math.min(sensitivity.groups, specificity.groups) - 1);
  const half = Math.sqrt(Z_95 ** 2 * ((seen * (1 - seen)) / size) + t ** 2 * ofJudge) / power;
  const rate = roganGladen({
    observed,
    sensitivity: sumOf(groups.map((group) => group.sensitivity)),
    specificity: sumOf(groups.map((group) => group.specificity)),
  });
  return rate === null
    ? null
    : { rate, interval: [Math.max(0, Math.min(rate, middle - half)), Math.min(1, Math.max(rate, middle + half))] };
}

/**
 * The rate to expect of a further group, and its variance. The correlation within groups is estimated by the method of
 * moments for the beta-binomial distribution. One imagined success and failure keep a rate from being exactly 0 or 1.
 */
function predict(all: readonly CountedRate[]): { rate: number; variance: number; groups: number } {
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

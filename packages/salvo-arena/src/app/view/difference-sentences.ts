import { formatPointsInterval, formatPointsSize, pEquation } from 'salvo/kit/page';
import type { BlueComparison } from '../../experiment/results/experiment-results.ts';

const SIGNIFICANT = 0.05;

/** Which Blues differ by more than luck, in words: recalls first, the surest first. */
export function differenceSentences(comparisons: readonly BlueComparison[]): string[] {
  const sorted = comparisons.toSorted((a, b) => a.mcnemar_p_holm - b.mcnemar_p_holm);
  const clearF1 = sorted.filter(({ permutation_p_holm: p }) => p !== null && p < SIGNIFICANT);
  return [...sorted.map(recallSentence), ...clearF1.map(f1Sentence)];
}

function recallSentence(comparison: BlueComparison): string {
  const { first, second, only_first, only_second, mcnemar_p_holm: p } = comparison;
  const { value, interval } = comparison.risk_difference;
  const isFirstBetter = (value ?? 0) >= 0;
  const [better, worse] = isFirstBetter ? [first, second] : [second, first];
  const [onlyBetter, onlyWorse] = isFirstBetter ? [only_first, only_second] : [only_second, only_first];
  const of = `On the same ${comparison.vulnerabilities} flaws`;
  const only = `only ${better} found ${onlyBetter}, only ${worse} ${onlyWorse}`;
  if (value === null || p >= SIGNIFICANT) {
    return `${of}, no difference between ${better} and ${worse} is more than luck: ${only} (${pEquation(p)}).`;
  }
  const range = intervalText(isFirstBetter || !interval ? interval : [-interval[1], -interval[0]]);
  return `${of}, ${better} found ${formatPointsSize(value)} more than ${worse} (${pEquation(p)}${range}): ${only}.`;
}

/** The test treats flaws as independent, the interval does not: if it contains 0, that has to be said. */
function intervalText(interval: readonly [number, number] | null): string {
  if (interval === null) return '';
  const text = `, 95% interval ${formatPointsInterval(interval)}`;
  return interval[0] <= 0 ? `${text}, which contains 0` : text;
}

function f1Sentence({ first, second, f1_difference, permutation_p_holm, precision_used }: BlueComparison): string {
  const value = f1_difference.value ?? 0;
  const [better, worse] = value >= 0 ? [first, second] : [second, first];
  const what = precision_used === 'twin' ? 'F1 by the twin' : 'F1';
  const size = formatPointsSize(value);
  return `The mean ${what} of ${better} is ${size} higher than that of ${worse} (${pEquation(permutation_p_holm ?? 1)}).`;
}

import type { BlueComparison, ExperimentResults } from '../../../../src/arena/experiment/results/experiment-results.ts';
import { visibleText } from '../../visible-text.ts';
import styles from './experiment-page.module.css';

const MOST_LISTED = 12;
const SIGNIFICANT = 0.05;

/** Which Blues differ by more than luck, in words. */
export function Differences({ results: { comparisons } }: { results: ExperimentResults }) {
  if (comparisons.length === 0) return null;
  const sorted = comparisons.toSorted((a, b) => a.mcnemar_p_holm - b.mcnemar_p_holm);
  return (
    <section>
      <h2>Which Blue is better?</h2>
      <ul className={styles.list}>
        {sorted.slice(0, MOST_LISTED).map((comparison) => (
          <li key={`${comparison.first} ${comparison.second}`}>{visibleText(recallSentence(comparison))}</li>
        ))}
        {sorted
          .filter(({ permutation_p_holm: p }) => p !== null && p < SIGNIFICANT)
          .slice(0, MOST_LISTED)
          .map((comparison) => (
            <li key={`F1 ${comparison.first} ${comparison.second}`}>{visibleText(f1Sentence(comparison))}</li>
          ))}
      </ul>
      <p className={styles.note}>
        Recall: exact McNemar test over flaws, which treats flaws as independent. F1: permutation test that swaps whole
        clusters. Both are corrected for all pairs (Holm). p below 0.05 is more than luck.
      </p>
    </section>
  );
}

export function recallSentence(comparison: BlueComparison): string {
  const { risk_difference, mcnemar_p_holm: p, only_first, only_second, vulnerabilities } = comparison;
  const { value, interval } = risk_difference;
  const [better, worse] =
    (value ?? 0) >= 0 ? [comparison.first, comparison.second] : [comparison.second, comparison.first];
  const [moreOnly, lessOnly] = (value ?? 0) >= 0 ? [only_first, only_second] : [only_second, only_first];
  const only = `only ${better} found ${moreOnly}, only ${worse} ${lessOnly}`;
  const of = `On the same ${vulnerabilities} flaws`;
  if (value === null || p >= SIGNIFICANT) {
    return `${of}, no difference between ${better} and ${worse} is more than luck: ${only} (${pText(p)}).`;
  }
  const size = points(Math.abs(value));
  const range = interval && [interval[0], interval[1]].map((end) => Math.abs(end)).sort((a, b) => a - b);
  // An interval over clusters that contains 0 is wider than the test over flaws suggests: it is shown with its signs.
  const isOneSided = interval !== null && interval[0] * interval[1] > 0;
  const rangeText =
    range && isOneSided
      ? `, 95% interval ${points(range[0] ?? 0)} to ${points(range[1] ?? 0)}`
      : interval
        ? `, 95% interval over clusters contains 0`
        : '';
  return `${of}, ${better} found ${size} points more than ${worse} (${pText(p)}${rangeText}): ${only}.`;
}

function f1Sentence({ first, second, f1_difference, permutation_p_holm, precision_used }: BlueComparison): string {
  const { value } = f1_difference;
  const [better, worse] = (value ?? 0) >= 0 ? [first, second] : [second, first];
  const by = precision_used === 'twin' ? 'F1 by the twin' : 'F1';
  return `The ${by} of ${better} is ${Math.abs(value ?? 0).toFixed(2)} higher than that of ${worse} (${pText(permutation_p_holm ?? 1)}).`;
}

function points(share: number): string {
  return String(Math.round(share * 100));
}

function pText(p: number): string {
  return p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`;
}

import type { Conclusion, Difference } from '../../../../src/run/compare/comparison.ts';
import { formatDifference, formatPoints, formatPointsInterval } from '../../../../src/stats/format.ts';
import { IntervalBar } from '../../parts/interval-bar.tsx';
import styles from './compare-table.module.css';

const TONES = { worse: 'tone-fail', better: 'tone-pass' };

/** A difference of pass rates on a line from -100 to +100 points, with its interval. */
export function DifferenceBar({ difference, conclusion }: { difference: Difference; conclusion: Conclusion }) {
  const { value, interval } = difference;
  const range = interval ? `, 95% interval ${formatPointsInterval(interval)}` : '';
  return (
    <IntervalBar
      {...{ value, interval, range: [-1, 1], width: 140, height: 14 }}
      text={`${formatDifference(value)}${range}`}
      className={conclusion === 'worse' || conclusion === 'better' ? `${styles.changed} ${TONES[conclusion]}` : 'soft'}
      after={<span className={styles.points}>{formatPoints(value)}</span>}
    />
  );
}

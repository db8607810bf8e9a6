import type { Conclusion, Difference } from '../../../src/run/compare/comparison.ts';
import { formatDifference, formatPoints, formatPointsInterval } from '../../../src/stats/format.ts';
import styles from './difference-bar.module.css';

const [WIDTH, HEIGHT] = [140, 14];

/** A difference of pass rates on a line from -100 to +100 points, with its interval. */
export function DifferenceBar({ difference, conclusion }: { difference: Difference; conclusion: Conclusion }) {
  const { value, interval } = difference;
  const range = interval ? `, 95% interval ${formatPointsInterval(interval)}` : '';
  const text = `${formatDifference(value)}${range}`;
  const look = conclusion === 'worse' || conclusion === 'better' ? conclusion : 'unsure';
  const x = (at: number) => ((Math.max(-1, Math.min(1, at)) + 1) / 2) * WIDTH;
  return (
    <span className={`${styles.difference} ${styles[look]}`} title={text}>
      <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={text}>
        <line x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} className={styles.scale} />
        {interval && (
          <rect
            x={x(interval[0])}
            width={Math.max(1, x(interval[1]) - x(interval[0]))}
            y="4"
            height={HEIGHT - 8}
            rx="1"
            className={styles.interval}
          />
        )}
        <line x1={WIDTH / 2} x2={WIDTH / 2} y1="0" y2={HEIGHT} className={styles.zero} />
        <rect
          x={Math.min(WIDTH - 3, Math.max(0, x(value) - 1.5))}
          width="3"
          y="1"
          height={HEIGHT - 2}
          className={styles.mark}
        />
      </svg>
      <span className={styles.number}>{formatPoints(value)}</span>
    </span>
  );
}

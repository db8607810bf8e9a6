import { formatInterval, formatPercent } from '../../../src/stats/format.ts';
import styles from './rate-bar.module.css';

const [WIDTH, HEIGHT] = [96, 10];

/** A pass rate as a mark on a line from 0 to 100%, with its interval. */
export function RateBar({
  rate,
  interval,
  none = 'not scored',
}: {
  rate: number | null;
  interval: [number, number] | null;
  /** What is shown without a rate. */
  none?: string;
}) {
  if (rate === null) return <span className={styles.none}>{none}</span>;
  const text =
    interval === null ? formatPercent(rate) : `${formatPercent(rate)}, 95% interval ${formatInterval(interval)}`;
  return (
    <span className={styles.rate} title={text}>
      <span className={styles.number}>{formatPercent(rate)}</span>
      <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={text}>
        <line x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} className={styles.scale} />
        {interval && (
          <rect
            x={interval[0] * WIDTH}
            width={Math.max(1, (interval[1] - interval[0]) * WIDTH)}
            y="2.5"
            height={HEIGHT - 5}
            className={styles.interval}
          />
        )}
        <rect
          x={Math.min(WIDTH - 3, Math.max(0, rate * WIDTH - 1.5))}
          width="3"
          y="0"
          height={HEIGHT}
          className={styles.mark}
        />
      </svg>
    </span>
  );
}

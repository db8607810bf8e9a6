import { twoDigits, twoDigitsInterval } from '../../../../src/stats/format.ts';
import styles from './kappa-bar.module.css';

const [WIDTH, HEIGHT] = [120, 12];

/** Cohen's kappa from -1 to 1 with its interval. Chance is the line in the middle. */
export function KappaBar({ kappa, interval }: { kappa: number | null; interval: [number, number] | null }) {
  if (kappa === null) return <span className={styles.none}>undefined</span>;
  const text = interval ? `${twoDigits(kappa)}, 95% interval ${twoDigitsInterval(interval)}` : twoDigits(kappa);
  const xOf = (value: number): number => ((Math.max(-1, Math.min(1, value)) + 1) / 2) * WIDTH;
  return (
    <span className={styles.kappa} title={text}>
      <span className={styles.number}>{twoDigits(kappa)}</span>
      <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={text}>
        <line x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} className={styles.scale} />
        <line x1={WIDTH / 2} x2={WIDTH / 2} y1="0" y2={HEIGHT} className={styles.chance} />
        {interval && (
          <rect
            x={xOf(interval[0])}
            width={Math.max(1, xOf(interval[1]) - xOf(interval[0]))}
            y="3.5"
            height={HEIGHT - 7}
            className={styles.interval}
          />
        )}
        <rect
          x={Math.min(WIDTH - 3, Math.max(0, xOf(kappa) - 1.5))}
          width="3"
          y="0"
          height={HEIGHT}
          className={styles.mark}
        />
      </svg>
      {interval && (
        <span className={styles.range} aria-hidden="true">
          {twoDigitsInterval(interval)}
        </span>
      )}
    </span>
  );
}

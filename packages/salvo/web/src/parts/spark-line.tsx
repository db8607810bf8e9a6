import { formatPercent } from '../../../src/stats/format.ts';
import styles from './spark-line.module.css';

const [WIDTH, HEIGHT, EDGE] = [72, 20, 3];

/** Shares from 0 to 100% over time, the last one marked. */
export function SparkLine({ shares }: { shares: number[] }) {
  const last = shares.at(-1);
  if (last === undefined || shares.length < 2) return null;
  const step = (WIDTH - 2 * EDGE) / (shares.length - 1);
  const points = shares.map((share, index) => [EDGE + index * step, EDGE + (1 - share) * (HEIGHT - 2 * EDGE)] as const);
  const [x, y] = points.at(-1) ?? [0, 0];
  const text = `The last ${shares.length} pass rates: ${shares.map((share) => formatPercent(share)).join(', ')}`;
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={text}>
      <title>{text}</title>
      <polyline points={points.map((point) => point.join(',')).join(' ')} className={styles.line} />
      <circle cx={x} cy={y} r="2.5" className={styles.last} />
    </svg>
  );
}

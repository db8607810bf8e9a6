import { twoDigits, twoDigitsInterval } from '../../../../src/stats/format.ts';
import { IntervalBar } from '../../parts/interval-bar.tsx';
import styles from './kappa-bar.module.css';

/** Cohen's kappa from -1 to 1 with its interval. Chance is the line in the middle. */
export function KappaBar({ kappa, interval }: { kappa: number | null; interval: [number, number] | null }) {
  if (kappa === null) return <span className="soft fine">undefined</span>;
  const number = twoDigits(kappa);
  const range = interval && twoDigitsInterval(interval);
  return (
    <IntervalBar
      {...{ value: kappa, interval, range: [-1, 1], width: 120, height: 12 }}
      text={range === null ? number : `${number}, 95% interval ${range}`}
      className={styles.kappa}
      before={<span className={styles.number}>{number}</span>}
      after={
        <span className={styles.range} aria-hidden="true">
          {range}
        </span>
      }
    />
  );
}

import { formatInterval, formatPercent } from '../../../src/stats/format.ts';
import { IntervalBar } from './interval-bar.tsx';
import styles from './rate-bar.module.css';

interface RateBarProps {
  rate: number | null;
  interval: [number, number] | null;
  /** What is shown without a rate. */
  none?: string;
}

/** A pass rate on a line from 0 to 100%, with its interval. */
export function RateBar({ rate, interval, none = 'not scored' }: RateBarProps) {
  if (rate === null) return <span className="soft">{none}</span>;
  const number = formatPercent(rate);
  return (
    <IntervalBar
      {...{ value: rate, interval, range: [0, 1], width: 96, height: 10 }}
      text={interval === null ? number : `${number}, 95% interval ${formatInterval(interval)}`}
      before={<span className={styles.number}>{number}</span>}
    />
  );
}

import type { ReactNode } from 'react';
import styles from './interval-bar.module.css';

interface IntervalBarProps {
  value: number;
  interval: [number, number] | null;
  /** The ends of the line. One that begins below 0 has a mark at 0. */
  range: [number, number];
  width: number;
  height: number;
  /** For the tooltip, and for those who do not see it. */
  text: string;
  className?: string | undefined;
  /** Beside the line, in this order. */
  before?: ReactNode;
  after?: ReactNode;
}

/** A number as a mark on a line, with its interval. */
export function IntervalBar({ value, interval, width, height, text, ...shown }: IntervalBarProps) {
  const [least, most] = shown.range;
  const x = (at: number): number => ((Math.max(least, Math.min(most, at)) - least) / (most - least)) * width;
  return (
    <span className={`${styles.bar} ${shown.className ?? ''}`} title={text}>
      {shown.before}
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={text}>
        <line x1="0" x2={width} y1={height / 2} y2={height / 2} className={styles.scale} />
        {interval && (
          <rect
            x={x(interval[0])}
            width={Math.max(1, x(interval[1]) - x(interval[0]))}
            y={height / 4}
            height={height / 2}
            className={styles.interval}
          />
        )}
        {least < 0 && <line x1={x(0)} x2={x(0)} y1="0" y2={height} className={styles.zero} />}
        <rect
          x={Math.min(width - 3, Math.max(0, x(value) - 1.5))}
          width="3"
          y="0"
          height={height}
          className={styles.mark}
        />
      </svg>
      {shown.after}
    </span>
  );
}

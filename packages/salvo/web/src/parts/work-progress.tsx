import { useEffect, useRef, useState } from 'react';
import { formatCount, formatSeconds } from '../../../src/stats/format.ts';
import styles from './work-progress.module.css';

interface Progress {
  /** How many of its units have ended. */
  done: number;
  planned: number;
  isRunning: boolean;
}

/** How far work is that lacks units, such as `trials`, and when it will be done at this pace. */
export function WorkProgress({ units, ...progress }: Progress & { units: string }) {
  const { done, planned, isRunning } = progress;
  const left = useSecondsLeft(progress);
  if (done >= planned) return null;
  return (
    <div className={styles.progress}>
      <progress value={done} max={planned} aria-label={`${units.charAt(0).toUpperCase()}${units.slice(1)}`} />
      <span>
        {formatCount(done)} of {formatCount(planned)} {units}
      </span>
      {isRunning && (
        <span className="soft">
          {left === null ? '' : `about ${formatSeconds(left < 60 ? Math.ceil(left) : left)} left`}
        </span>
      )}
    </div>
  );
}

const LEAST_MS = 3000;

/** By the units that ended since the page was opened: those of before may be of an earlier day. */
function useSecondsLeft({ done, planned, isRunning }: Progress): number | null {
  const begun = useRef<{ at: number; done: number } | null>(null);
  const [left, setLeft] = useState<number | null>(null);
  useEffect(() => {
    if (!isRunning) begun.current = null;
    else if (begun.current === null) {
      if (done > 0) begun.current = { at: performance.now(), done };
    } else if (done > begun.current.done && performance.now() - begun.current.at > LEAST_MS) {
      const pace = (done - begun.current.done) / ((performance.now() - begun.current.at) / 1000);
      setLeft((planned - done) / pace);
    }
  }, [done, planned, isRunning]);
  return left;
}

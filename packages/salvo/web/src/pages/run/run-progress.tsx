import { useEffect, useRef, useState } from 'react';
import type { RunView } from '../../../../src/app/view/runs/run-view.ts';
import { formatCount, formatSeconds } from '../../../../src/stats/format.ts';
import styles from './run-progress.module.css';

/** How far a run is that lacks trials, and when it will be done at this pace. */
export function RunProgress({ view, done }: { view: RunView; done: number }) {
  const planned = view.scenarios.reduce((sum, { trials_planned }) => sum + trials_planned, 0);
  const left = useSecondsLeft({ done, planned, isRunning: view.is_running });
  if (done >= planned) return null;
  return (
    <div className={styles.progress}>
      <progress value={done} max={planned} aria-label="Trials" />
      <span>
        {formatCount(done)} of {formatCount(planned)} trials
      </span>
      {view.is_running && (
        <span className="soft">
          {left === null ? '' : `about ${formatSeconds(left < 60 ? Math.ceil(left) : left)} left`}
        </span>
      )}
    </div>
  );
}

const LEAST_MS = 3000;

/** By the trials that ended since the page was opened: those of before may be of an earlier day. */
function useSecondsLeft({ done, planned, isRunning }: { done: number; planned: number; isRunning: boolean }) {
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

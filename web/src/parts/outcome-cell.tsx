import type { TrialStatus } from '../../../src/evaluators/trial-status.ts';
import type { TrialOutcome } from '../../../src/run/run-record.ts';
import { formatShare } from '../format.ts';
import styles from './outcome-cell.module.css';

const SHOWN: Record<TrialStatus, { name: string; look: string; sign: string }> = {
  passed: { name: 'passed', look: 'passed', sign: '' },
  failed: { name: 'failed', look: 'failed', sign: '✕' },
  hard_fail: { name: 'hard fail', look: 'hardFail', sign: '!' },
  crashed: { name: 'crashed', look: 'crashed', sign: '↯' },
  unscored: { name: 'not scored', look: 'unscored', sign: '?' },
};

/** A trial as a small square. Null if it has not run. */
export function OutcomeCell({
  outcome,
  place,
}: {
  outcome: Pick<TrialOutcome, 'status' | 'score'> | null;
  place: string;
}) {
  const shown = outcome?.status ? SHOWN[outcome.status] : null;
  const score = outcome?.score === null || outcome?.score === undefined ? '' : `, score ${formatShare(outcome.score)}`;
  const text = `${place}: ${shown ? shown.name : outcome ? 'not judged yet' : 'not run'}${score}`;
  return (
    <span
      role="img"
      aria-label={text}
      title={text}
      className={`${styles.cell} ${shown ? styles[shown.look] : styles.none}`}
    >
      {shown?.sign}
    </span>
  );
}

export function OutcomeLegend() {
  return (
    <ul className={styles.legend} aria-label="Outcomes">
      {Object.values(SHOWN).map(({ name, look, sign }) => (
        <li key={name}>
          <span aria-hidden="true" className={`${styles.cell} ${styles[look]}`}>
            {sign}
          </span>
          {name}
        </li>
      ))}
    </ul>
  );
}

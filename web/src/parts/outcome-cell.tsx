import type { TrialStatus } from '../../../src/evaluators/trial-status.ts';
import type { TrialOutcome } from '../../../src/run/record/run-record.ts';
import { formatShare } from '../format.ts';
import styles from './outcome-cell.module.css';

const STATUSES: readonly TrialStatus[] = ['passed', 'failed', 'hard_fail', 'crashed', 'unscored'];
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

/** What the cells mean, how many there are of each, and a choice of those to look at. */
export function OutcomeFilter({
  outcomes,
  chosen,
  onChoose,
}: {
  outcomes: readonly TrialOutcome[];
  chosen: ReadonlySet<TrialStatus>;
  onChoose: (statuses: ReadonlySet<TrialStatus>) => void;
}) {
  const counts = Map.groupBy(outcomes, ({ status }) => status);
  return (
    <fieldset className={styles.legend}>
      <legend className="visually-hidden">Only cases with such trials</legend>
      {STATUSES.map((status) => {
        const { name, look, sign } = SHOWN[status];
        const count = counts.get(status)?.length ?? 0;
        return (
          <button
            key={status}
            type="button"
            aria-pressed={chosen.has(status)}
            disabled={count === 0 && !chosen.has(status)}
            onClick={() => onChoose(chosen.symmetricDifference(new Set([status])))}
          >
            <span aria-hidden="true" className={`${styles.cell} ${styles[look]}`}>
              {sign}
            </span>
            {name} <span className={styles.count}>{count.toLocaleString('en')}</span>
          </button>
        );
      })}
    </fieldset>
  );
}

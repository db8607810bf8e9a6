import type { TrialStatus } from '../../../src/evaluators/eval-result.ts';
import type { TrialOutcome } from '../../../src/run/record/run-record.ts';
import { formatCount, formatScore } from '../../../src/stats/format.ts';
import { STATUS_LOOKS, TRIAL_STATUSES } from './badge.tsx';
import styles from './outcome-cell.module.css';

/** A trial as a small square. Null if it has not run. */
export function OutcomeCell({
  outcome,
  place,
}: {
  outcome: Pick<TrialOutcome, 'status' | 'score'> | null;
  place: string;
}) {
  const status = outcome?.status ?? null;
  const score = outcome?.score === null || outcome?.score === undefined ? '' : `, score ${formatScore(outcome.score)}`;
  const text = `${place}: ${status ? nameOf(status) : outcome ? 'not judged yet' : 'not run'}${score}`;
  return (
    <span
      role="img"
      aria-label={text}
      title={text}
      className={status ? lookOf(status) : `${styles.cell} ${styles.none}`}
    >
      {status && signOf(status)}
    </span>
  );
}

interface OutcomeFilterProps {
  outcomes: readonly TrialOutcome[];
  chosen: ReadonlySet<TrialStatus>;
  onChoose: (statuses: ReadonlySet<TrialStatus>) => void;
}

/** What the cells mean, how many there are of each, and a choice of those to look at. */
export function OutcomeFilter({ outcomes, chosen, onChoose }: OutcomeFilterProps) {
  const counts = Map.groupBy(outcomes, ({ status }) => status);
  return (
    <fieldset className={styles.legend}>
      <legend className="visually-hidden">Only cases with such trials</legend>
      {TRIAL_STATUSES.map((status) => {
        const count = counts.get(status)?.length ?? 0;
        return (
          <button
            key={status}
            type="button"
            aria-pressed={chosen.has(status)}
            disabled={count === 0 && !chosen.has(status)}
            onClick={() => onChoose(chosen.symmetricDifference(new Set([status])))}
          >
            <span aria-hidden="true" className={lookOf(status)}>
              {signOf(status)}
            </span>
            {nameOf(status)} <span className="soft">{formatCount(count)}</span>
          </button>
        );
      })}
    </fieldset>
  );
}

function lookOf(status: TrialStatus): string {
  return `${styles.cell} tone-${STATUS_LOOKS[status].look} ${status === 'unscored' ? styles.unscored : ''}`;
}

function nameOf(status: TrialStatus): string {
  return STATUS_LOOKS[status].name.toLowerCase();
}

/** Most cells passed. Without a sign, the others stand out. */
function signOf(status: TrialStatus): string {
  return status === 'passed' ? '' : STATUS_LOOKS[status].sign;
}

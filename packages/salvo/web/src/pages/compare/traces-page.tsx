import { Link, useLocation } from 'wouter';
import type { ComparedTrace, TracePairView } from '../../../../src/app/view/compare/trace-pair-view.ts';
import { runHref, type TrialPlace, tracesHref, trialHref } from '../../../../src/app/view/page-hrefs.ts';
import { formatScore } from '../../../../src/stats/format.ts';
import { useOutcomes } from '../../api.ts';
import { STATUS_LOOKS, StatusBadge } from '../../parts/badge.tsx';
import { LoadState } from '../../parts/load-state.tsx';
import { usePageTitle } from '../../use-page-title.ts';
import { visibleText } from '../../visible-text.ts';
import { AlignedMessages } from './aligned-messages.tsx';
import { useTracePair } from './api.ts';
import styles from './traces-page.module.css';

/** `base` and `next` are `RUN/SCENARIO/CASE/TRIAL`. */
export function TracesPage({ base, next }: { base: string; next: string }) {
  const pair = useTracePair(base, next);
  usePageTitle('Two conversations');
  return (
    <LoadState query={pair}>
      {(view) => <Loaded key={`${view.base.trace_id} ${view.next.trace_id}`} view={view} />}
    </LoadState>
  );
}

function Loaded({ view }: { view: TracePairView }) {
  const [, navigate] = useLocation();
  const { base, next, first_difference, rows } = view;
  const differing = rows.filter(({ same }) => !same).length;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>Two conversations</h1>
        <p>
          {first_difference === null
            ? sameMessages(base, next)
            : `They differ in ${differing} of ${rows.length} steps, first in step ${first_difference + 1}.`}
        </p>
      </header>
      <div className={styles.sides}>
        <Side name="Before" trace={base} onChoose={(trial) => navigate(tracesHref(trial, next))} />
        <Side name="Now" trace={next} onChoose={(trial) => navigate(tracesHref(base, trial))} />
      </div>
      <AlignedMessages view={view} />
    </div>
  );
}

/** Equal conversations can be judged differently: by another vote of a judge, or by other assertions. */
function sameMessages(base: ComparedTrace, next: ComparedTrace): string {
  if (base.status === next.status && base.score === next.score) return 'They are the same, message by message.';
  const said = ({ status, score }: ComparedTrace) =>
    `${status === null ? 'not judged' : STATUS_LOOKS[status].name.toLowerCase()} (score ${formatScore(score)})`;
  return `Their messages are the same, and what was said of them is not: ${said(base)} and ${said(next)}. The assertions, or the votes of a judge, differ: see the page of each trial.`;
}

function Side({
  name,
  trace,
  onChoose,
}: {
  name: string;
  trace: ComparedTrace;
  onChoose: (trial: TrialPlace) => void;
}) {
  const trials = useOutcomes(trace.run_id).filter(
    ({ scenario_index, case_index, trace_id }) =>
      scenario_index === trace.scenario_index && case_index === trace.case_index && trace_id !== null,
  );
  const { run_id } = trace;
  return (
    <section className={styles.side} aria-label={name}>
      <div className="row">
        <h2>{name}</h2>
        <StatusBadge status={trace.status} />
        <span>score {formatScore(trace.score)}</span>
      </div>
      <p className="soft small anywhere">
        <Link href={trialHref(trace)}>
          {visibleText(trace.scenario)}
          {trace.case !== null && ` · ${visibleText(trace.case)}`} · trial {trace.trial_number}
        </Link>{' '}
        of run <Link href={runHref(run_id)}>{run_id}</Link> with {trace.model}
      </p>
      {trials.length > 1 && (
        <label className="soft small anywhere">
          Trial{' '}
          <select
            value={trace.trial_number}
            onChange={({ target }) => onChoose({ ...trace, trial_number: Number(target.value) })}
          >
            {trials.map(({ trial_number, status }) => (
              <option key={trial_number} value={trial_number}>
                {trial_number}, {(status ?? 'not judged').replace('_', ' ')}
              </option>
            ))}
          </select>
        </label>
      )}
    </section>
  );
}

import { useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import { runHref, trialHref } from '../../../../src/app/view/page-hrefs.ts';
import type { TrialView } from '../../../../src/app/view/trial/trial-view.ts';
import type { TrialOutcome } from '../../../../src/run/record/run-record.ts';
import { useOutcomes } from '../../api.ts';
import { KeyHelp } from '../../parts/key-help.tsx';
import { useKey } from '../../use-key.ts';
import styles from './trial-page.module.css';

const KEYS = [
  { keys: ['n', 'j'], does: 'Next failure' },
  { keys: ['p', 'k'], does: 'Previous failure' },
  { keys: ['→'], does: 'Next trial' },
  { keys: ['←'], does: 'Previous trial' },
  { keys: ['g'], does: 'The grid of all trials' },
];

/** Where this trial is among those of the run, and the way to the others. */
export function TrialSteps({ view }: { view: TrialView }) {
  const [, navigate] = useLocation();
  const trials = useOutcomes(view.run_id);
  const failures = useMemo(() => trials.filter(({ status }) => status !== 'passed' && status !== null), [trials]);
  const failure = neighbours(failures, view);
  const trial = neighbours(trials, view);
  const open = (outcome: TrialOutcome | undefined) => {
    const isBehindDialog = document.querySelector('dialog[open]') !== null;
    if (outcome && !isBehindDialog) navigate(trialHref({ ...outcome, run_id: view.run_id }));
  };
  useKey('n', () => open(failure.next));
  useKey('j', () => open(failure.next));
  useKey('p', () => open(failure.previous));
  useKey('k', () => open(failure.previous));
  useKey('ArrowRight', () => open(trial.next));
  useKey('ArrowLeft', () => open(trial.previous));
  useKey('g', () => navigate(runHref(view.run_id)));
  return (
    <nav aria-label="Trials" className={styles.steps}>
      {failure.position > 0 ? (
        <span>
          failure {failure.position} of {failures.length}
        </span>
      ) : (
        trial.position > 0 && (
          <span>
            trial {trial.position} of {trials.length}
          </span>
        )
      )}
      <Step name="Previous failure" shortcut="p" runId={view.run_id} outcome={failure.previous} />
      <Step name="Next failure" shortcut="n" runId={view.run_id} outcome={failure.next} />
      <KeyHelp keys={KEYS} />
    </nav>
  );
}

interface StepProps {
  name: string;
  shortcut: string;
  runId: string;
  outcome: TrialOutcome | undefined;
}

/** A place is a link, also where there is none: then it leads nowhere. */
function Step({ name, shortcut, runId, outcome }: StepProps) {
  const label = (
    <>
      {name} <kbd>{shortcut}</kbd>
    </>
  );
  if (!outcome) return <span className={`${styles.step} ${styles.none}`}>{label}</span>;
  return (
    <Link href={trialHref({ ...outcome, run_id: runId })} className={styles.step} aria-keyshortcuts={shortcut}>
      {label}
    </Link>
  );
}

/** `position` counts from 1; 0 if the trial is none of them. */
function neighbours(outcomes: readonly TrialOutcome[], view: TrialView) {
  return {
    next: outcomes.find((outcome) => compare(outcome, view) > 0),
    previous: outcomes.findLast((outcome) => compare(outcome, view) < 0),
    position: outcomes.findIndex((outcome) => compare(outcome, view) === 0) + 1,
  };
}

function compare(outcome: TrialOutcome, view: TrialView): number {
  return (
    outcome.scenario_index - view.scenario.index ||
    outcome.case_index - view.case_index ||
    outcome.trial_number - view.trial_number
  );
}

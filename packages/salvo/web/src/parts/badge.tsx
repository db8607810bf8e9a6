import type { TrialStatus } from '../../../src/evaluators/eval-result.ts';
import type { CalibrationVerdict } from '../../../src/judge/calibration/calibration-verdict.ts';
import type { Conclusion } from '../../../src/run/compare/comparison.ts';
import type { Verdict } from '../../../src/run/record/run-document.ts';
import type { RunRecord } from '../../../src/run/record/run-record.ts';
import styles from './badge.module.css';

/** How an outcome looks everywhere. The sign says it without colours. */
export interface BadgeLook {
  name: string;
  look: 'pass' | 'fail' | 'hardFail' | 'crash' | 'unscored' | 'running';
  sign: string;
}

export function Badge({ name, look, sign }: BadgeLook) {
  return (
    <span className={`${styles.badge} tone-${look}`}>
      <span aria-hidden="true">{sign}</span> {name}
    </span>
  );
}

/** How the outcomes of a trial look. */
export const STATUS_LOOKS: Readonly<Record<TrialStatus, BadgeLook>> = {
  passed: { name: 'Passed', look: 'pass', sign: '✓' },
  failed: { name: 'Failed', look: 'fail', sign: '✕' },
  hard_fail: { name: 'Hard fail', look: 'hardFail', sign: '!' },
  crashed: { name: 'Crashed', look: 'crash', sign: '↯' },
  unscored: { name: 'Not scored', look: 'unscored', sign: '?' },
};

/** In the order in which they are listed. */
export const TRIAL_STATUSES: readonly TrialStatus[] = ['passed', 'failed', 'hard_fail', 'crashed', 'unscored'];

/** Null while a trial was not judged. */
export function StatusBadge({ status }: { status: TrialStatus | null }) {
  return status === null ? <Badge name="Not judged" look="running" sign="…" /> : <Badge {...STATUS_LOOKS[status]} />;
}

const VERDICTS: Record<Verdict | 'RUNNING' | 'INTERRUPTED', BadgeLook> = {
  PASS: { name: 'Pass', look: 'pass', sign: '✓' },
  PARTIAL: { name: 'Partial', look: 'fail', sign: '◐' },
  FAIL: { name: 'Fail', look: 'fail', sign: '✕' },
  HARD_FAIL: { name: 'Hard fail', look: 'hardFail', sign: '✖' },
  UNSCORED: { name: 'Not scored', look: 'unscored', sign: '?' },
  RECORDED: { name: 'Recorded', look: 'unscored', sign: '●' },
  SKIPPED: { name: 'Skipped', look: 'unscored', sign: '–' },
  QUARANTINED: { name: 'Quarantine', look: 'unscored', sign: '⊘' },
  RUNNING: { name: 'Running', look: 'running', sign: '…' },
  INTERRUPTED: { name: 'Interrupted', look: 'unscored', sign: '‖' },
};

/**
 * Without a verdict, a run that no process works on was interrupted. So was one that says it itself, if what had run by
 * then was not enough for a verdict.
 */
export function VerdictBadge(run: { verdict: Verdict | null; status?: RunRecord['status'] }) {
  const { verdict, status = 'finished' } = run;
  if (status === 'running') return <Badge {...VERDICTS.RUNNING} />;
  const isUndecided = verdict === null || (status === 'interrupted' && verdict === 'UNSCORED');
  return <Badge {...VERDICTS[isUndecided ? 'INTERRUPTED' : verdict]} />;
}

const CONCLUSIONS: Record<Conclusion, BadgeLook> = {
  worse: { name: 'Worse: more than luck', look: 'fail', sign: '↓' },
  better: { name: 'Better: more than luck', look: 'pass', sign: '↑' },
  no_evidence: { name: 'No evidence of a change', look: 'unscored', sign: '=' },
  too_few_trials: { name: 'Too few trials to tell', look: 'unscored', sign: '?' },
  not_comparable: { name: 'Not comparable', look: 'unscored', sign: '≠' },
};

/** What a comparison means, in words. */
export function ConclusionBadge({ conclusion }: { conclusion: Conclusion }) {
  return <Badge {...CONCLUSIONS[conclusion]} />;
}

const CALIBRATIONS: Record<CalibrationVerdict, Omit<BadgeLook, 'name'>> = {
  usable: { look: 'pass', sign: '✓' },
  weak: { look: 'fail', sign: '◐' },
  'no better than chance': { look: 'hardFail', sign: '✖' },
  'too few labels': { look: 'unscored', sign: '?' },
};

/** Null if the judge was never compared with people. */
export function CalibrationBadge({ verdict }: { verdict: CalibrationVerdict | null }) {
  if (verdict === null) return <Badge name="never calibrated" look="unscored" sign="–" />;
  return <Badge name={verdict} {...CALIBRATIONS[verdict]} />;
}

import type { Verdict } from '../../../src/run/record/run-document.ts';
import type { RunRecord } from '../../../src/run/record/run-record.ts';
import { Badge, type BadgeLook } from './badge.tsx';

const SHOWN: Record<Verdict | 'RUNNING' | 'INTERRUPTED', BadgeLook> = {
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
export function VerdictBadge({
  verdict,
  status = 'finished',
}: {
  verdict: Verdict | null;
  status?: RunRecord['status'];
}) {
  if (status === 'running') return <Badge {...SHOWN.RUNNING} />;
  const isUndecided = verdict === null || (status === 'interrupted' && verdict === 'UNSCORED');
  return <Badge {...SHOWN[isUndecided ? 'INTERRUPTED' : verdict]} />;
}

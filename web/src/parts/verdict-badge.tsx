import type { Verdict } from '../../../src/run/record/run-document.ts';
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

/** Without a verdict, a run that no process works on was interrupted. */
export function VerdictBadge({ verdict, isRunning = false }: { verdict: Verdict | null; isRunning?: boolean }) {
  return <Badge {...SHOWN[isRunning ? 'RUNNING' : (verdict ?? 'INTERRUPTED')]} />;
}

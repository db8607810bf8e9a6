import type { Verdict } from '../../../src/run/run-document.ts';
import styles from './verdict-badge.module.css';

const SHOWN: Record<Verdict, { name: string; look: string; sign: string }> = {
  PASS: { name: 'Pass', look: 'pass', sign: '✓' },
  PARTIAL: { name: 'Partial', look: 'fail', sign: '◐' },
  FAIL: { name: 'Fail', look: 'fail', sign: '✕' },
  HARD_FAIL: { name: 'Hard fail', look: 'hardFail', sign: '✖' },
  UNSCORED: { name: 'Not scored', look: 'unscored', sign: '?' },
  RECORDED: { name: 'Recorded', look: 'unscored', sign: '●' },
  SKIPPED: { name: 'Skipped', look: 'unscored', sign: '–' },
  QUARANTINED: { name: 'Quarantine', look: 'unscored', sign: '⊘' },
};

/** Null while there is none. */
export function VerdictBadge({ verdict }: { verdict: Verdict | null }) {
  const { name, look, sign } = verdict === null ? { name: 'Running', look: 'running', sign: '…' } : SHOWN[verdict];
  return (
    <span className={`${styles.badge} ${styles[look]}`}>
      <span aria-hidden="true">{sign}</span> {name}
    </span>
  );
}

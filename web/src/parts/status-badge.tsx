import type { TrialStatus } from '../../../src/evaluators/trial-status.ts';
import styles from './verdict-badge.module.css';

const SHOWN: Record<TrialStatus, { name: string; look: string; sign: string }> = {
  passed: { name: 'Passed', look: 'pass', sign: '✓' },
  failed: { name: 'Failed', look: 'fail', sign: '✕' },
  hard_fail: { name: 'Hard fail', look: 'hardFail', sign: '!' },
  crashed: { name: 'Crashed', look: 'crash', sign: '↯' },
  unscored: { name: 'Not scored', look: 'unscored', sign: '?' },
};

/** Null while a trial was not judged. */
export function StatusBadge({ status }: { status: TrialStatus | null }) {
  const { name, look, sign } = status === null ? { name: 'Not judged', look: 'running', sign: '…' } : SHOWN[status];
  return (
    <span className={`${styles.badge} ${styles[look]}`}>
      <span aria-hidden="true">{sign}</span> {name}
    </span>
  );
}

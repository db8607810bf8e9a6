import type { CalibrationFigures } from '../../../../src/app/view/judges/judgement-view.ts';
import styles from '../../parts/verdict-badge.module.css';

const SHOWN: Record<CalibrationFigures['verdict'], { look: string; sign: string }> = {
  usable: { look: 'pass', sign: '✓' },
  weak: { look: 'fail', sign: '◐' },
  'no better than chance': { look: 'hardFail', sign: '✖' },
  'too few labels': { look: 'unscored', sign: '?' },
};

/** Null if the judge was never compared with people. */
export function CalibrationBadge({ verdict }: { verdict: CalibrationFigures['verdict'] | null }) {
  const { look, sign } = verdict === null ? { look: 'unscored', sign: '–' } : SHOWN[verdict];
  return (
    <span className={`${styles.badge} ${styles[look]}`}>
      <span aria-hidden="true">{sign}</span> {verdict ?? 'never calibrated'}
    </span>
  );
}

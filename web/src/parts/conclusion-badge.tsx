import type { Conclusion } from '../../../src/run/compare/comparison.ts';
import styles from './verdict-badge.module.css';

const SHOWN: Record<Conclusion, { name: string; look: string; sign: string }> = {
  worse: { name: 'Worse: more than luck', look: 'fail', sign: '↓' },
  better: { name: 'Better: more than luck', look: 'pass', sign: '↑' },
  no_evidence: { name: 'No evidence of a change', look: 'unscored', sign: '=' },
  too_few_trials: { name: 'Too few trials to tell', look: 'unscored', sign: '?' },
  not_comparable: { name: 'Not comparable', look: 'unscored', sign: '≠' },
};

/** What a comparison means, in words. */
export function ConclusionBadge({ conclusion }: { conclusion: Conclusion }) {
  const { name, look, sign } = SHOWN[conclusion];
  return (
    <span className={`${styles.badge} ${styles[look]}`}>
      <span aria-hidden="true">{sign}</span> {name}
    </span>
  );
}

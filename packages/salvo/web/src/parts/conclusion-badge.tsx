import type { Conclusion } from '../../../src/run/compare/comparison.ts';
import { Badge, type BadgeLook } from './badge.tsx';

const SHOWN: Record<Conclusion, BadgeLook> = {
  worse: { name: 'Worse: more than luck', look: 'fail', sign: '↓' },
  better: { name: 'Better: more than luck', look: 'pass', sign: '↑' },
  no_evidence: { name: 'No evidence of a change', look: 'unscored', sign: '=' },
  too_few_trials: { name: 'Too few trials to tell', look: 'unscored', sign: '?' },
  not_comparable: { name: 'Not comparable', look: 'unscored', sign: '≠' },
};

/** What a comparison means, in words. */
export function ConclusionBadge({ conclusion }: { conclusion: Conclusion }) {
  return <Badge {...SHOWN[conclusion]} />;
}

import type { TrialStatus } from '../../../src/evaluators/eval-result.ts';
import type { BadgeLook } from './badge.tsx';

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

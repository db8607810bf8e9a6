import type { CalibrationFigures } from '../../../../src/app/view/judges/judgement-view.ts';
import { Badge, type BadgeLook } from '../../parts/badge.tsx';

const SHOWN: Record<CalibrationFigures['verdict'], Omit<BadgeLook, 'name'>> = {
  usable: { look: 'pass', sign: '✓' },
  weak: { look: 'fail', sign: '◐' },
  'no better than chance': { look: 'hardFail', sign: '✖' },
  'too few labels': { look: 'unscored', sign: '?' },
};

/** Null if the judge was never compared with people. */
export function CalibrationBadge({ verdict }: { verdict: CalibrationFigures['verdict'] | null }) {
  if (verdict === null) return <Badge name="never calibrated" look="unscored" sign="–" />;
  return <Badge name={verdict} {...SHOWN[verdict]} />;
}

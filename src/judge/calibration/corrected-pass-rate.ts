import { type CorrectedRate, type CountedRate, correctedRate } from '../../stats/corrected-rate.ts';
import type { CalibrationReport } from './calibration-record.ts';

/**
 * The pass rate that people would have found, from the one a calibrated judge found.
 * Null when the calibration cannot tell: no labels of one kind, or a judge no better than chance.
 */
export function correctedPassRate(
  calibration: Pick<CalibrationReport, 'overall'>,
  observed: CountedRate,
): CorrectedRate | null {
  const { sensitivity, specificity } = calibration.overall;
  return correctedRate({
    observed,
    sensitivity: { passed: sensitivity.correct, total: sensitivity.total },
    specificity: { passed: specificity.correct, total: specificity.total },
  });
}

import type { JudgeCostFields } from '../../../trace/cost-fields.ts';

/**
 * Whether a judge still says what it said when it was calibrated. A document: stored and printed as it is. The cost is that
 * of all checks of a run, if it was resumed with another one.
 */
export interface DriftCheck extends JudgeCostFields {
  judge_hash: string;
  /** `unchecked`: it could not be checked, and `sentence` says why. */
  outcome: 'unchanged' | 'changed' | 'unchecked';
  /** When the judge was calibrated; null if it never was. */
  calibrated_at: string | null;
  /** Anchors that the calibration has, and those on which now could be compared with then. */
  anchors: number;
  compared: number;
  calls: number;
  /** Mean of the scores now minus those of then, from -1 to 1, with a 95% interval over anchors. */
  shift: number | null;
  shift_ci: [number, number] | null;
  /** The mean size of the differences, whichever way they go. */
  change: number | null;
  /** Of votes that vary: how likely such a difference is if nothing has changed. Null for decisions. */
  p: number | null;
  sentence: string;
}

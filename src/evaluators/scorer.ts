import { createExactSum } from '../stats/exact-sum.ts';
import { meetsThreshold } from '../stats/meets-threshold.ts';
import type { EvalResult } from './eval-result.ts';
import type { TrialStatus } from './trial-status.ts';

export interface TrialScore {
  status: TrialStatus;
  /** Null if the trial could not be scored, so that it is not part of an average. */
  score: number | null;
  passed: boolean;
}

/** The part of an eval result that the score of a trial is computed from. */
export type ScorableResult = Pick<EvalResult, 'assertion_type' | 'score' | 'passed' | 'weight' | 'required' | 'status'>;

/**
 * The score of a trial: the weighted mean of its scored assertions. The trial passes when its score meets the threshold
 * and no assertion failed that decides a trial. An unscored assertion makes the trial unscored, unless a required one
 * failed: then the trial is a hard fail in any case.
 */
export function scoreTrial(evalResults: readonly ScorableResult[], threshold: number): TrialScore {
  const scored = evalResults.filter(({ status }) => status === 'scored');
  const score = weightedMean(scored);
  if (scored.some(({ required, passed }) => required && !passed)) return { status: 'hard_fail', score, passed: false };
  if (score === null || scored.length < evalResults.length) return { status: 'unscored', score: null, passed: false };
  const passed = meetsThreshold(score, threshold) && !scored.some(failsTrial);
  return { status: passed ? 'passed' : 'failed', score, passed };
}

/**
 * Whether a result fails its trial whatever the trial's score is. A judge's verdict is that of its votes, which its
 * score does not tell. Any other assertion that failed gives partial credit, unless its score is full: then only its
 * verdict can say that it failed.
 */
export function failsTrial({ assertion_type, status, passed, weight, score }: ScorableResult): boolean {
  if (status !== 'scored' || passed || !(weight > 0)) return false;
  return assertion_type === 'judge' || meetsThreshold(score, 1);
}

/** Null if the sum of the weights is 0. */
function weightedMean(results: readonly ScorableResult[]): number | null {
  const weights = createExactSum();
  const gains = createExactSum();
  for (const { score, weight } of results) {
    weights.add(weight);
    gains.add(score * weight);
  }
  if (!(weights.value() > 0)) return null;
  return Math.min(1, Math.max(0, gains.value() / weights.value()));
}

import { createExactSum } from '../stats/exact-sum.ts';
import { meetsThreshold } from '../stats/meets-threshold.ts';
import type { EvalResult } from './eval-result.ts';
import type { TrialStatus } from './trial-status.ts';

interface TrialScore {
  status: TrialStatus;
  /** Null when the trial could not be scored, so that nobody averages it. */
  score: number | null;
  passed: boolean;
}

type Scorable = Pick<EvalResult, 'score' | 'passed' | 'weight' | 'required' | 'status'>;

/**
 * A trial's score from its assertions: the weighted mean of those that were scored. One that could not be scored leaves
 * the whole trial unscored, unless a required one failed: that is certain, whatever the others would have said.
 */
export function scoreTrial(evalResults: readonly Scorable[], threshold: number): TrialScore {
  const scored = evalResults.filter(({ status }) => status === 'scored');
  const score = weightedMean(scored);
  if (scored.some(({ required, passed }) => required && !passed)) return { status: 'hard_fail', score, passed: false };
  if (score === null || scored.length < evalResults.length) return { status: 'unscored', score: null, passed: false };
  const passed = meetsThreshold(score, threshold);
  return { status: passed ? 'passed' : 'failed', score, passed };
}

/** Null when there is nothing of any weight. */
function weightedMean(results: readonly Scorable[]): number | null {
  const weights = createExactSum();
  const gains = createExactSum();
  for (const { score, weight } of results) {
    weights.add(weight);
    gains.add(score * weight);
  }
  if (!(weights.value() > 0)) return null;
  return Math.min(1, Math.max(0, gains.value() / weights.value()));
}

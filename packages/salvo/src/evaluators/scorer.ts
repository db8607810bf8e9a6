import { createExactSum } from '../stats/exact-sum.ts';
import { formatScore } from '../stats/format.ts';
import { meetsThreshold } from '../stats/mean.ts';
import type { EvalResult, TrialStatus } from './eval-result.ts';

export interface TrialScore {
  status: TrialStatus;
  /** Null if the trial could not be scored, so that it is not part of an average. */
  score: number | null;
  passed: boolean;
}

/** The part of an eval result that the score of a trial is computed from. */
export type ScorableResult = Pick<EvalResult, 'assertion_type' | 'score' | 'passed' | 'weight' | 'required' | 'status'>;

/**
 * The score of a trial: the weighted mean of its scored assertions. Without a threshold the trial passes when every
 * assertion with a weight passed. With one it passes when its score meets the threshold and no assertion failed that
 * decides a trial. A trial that failed for certain has failed, even if assertions could not be scored; otherwise one
 * that could not be scored, and that counts, makes the trial unscored.
 */
export function scoreTrial(evalResults: readonly ScorableResult[], threshold: number | undefined): TrialScore {
  const scored = evalResults.filter(({ status }) => status === 'scored');
  const score = weightedMean(scored);
  if (scored.some(({ required, passed }) => required && !passed)) return { status: 'hard_fail', score, passed: false };
  if (hasFailed(evalResults, threshold)) return { status: 'failed', score, passed: false };
  const isOpen = evalResults.some(({ status, weight, required }) => status !== 'scored' && (weight > 0 || required));
  if (score === null || isOpen) return { status: 'unscored', score: null, passed: false };
  return { status: 'passed', score, passed: true };
}

/** Whether the trial fails, whatever the assertions say that could not be scored. */
function hasFailed(evalResults: readonly ScorableResult[], threshold: number | undefined): boolean {
  if (evalResults.some((result) => failsTrial(result, threshold))) return true;
  if (threshold === undefined) return false;
  const best = weightedMean(evalResults.map((each) => (each.status === 'scored' ? each : { ...each, score: 1 })));
  return best !== null && !meetsThreshold(best, threshold);
}

/**
 * Whether a result fails its trial whatever the trial's score is. Without a threshold, any assertion that counts does.
 * With one, a judge's verdict is that of its votes, which its score does not tell. Any other assertion that failed gives
 * partial credit, unless its score is full: then only its verdict can say that it failed.
 */
function failsTrial(
  { assertion_type, status, passed, weight, score }: ScorableResult,
  threshold: number | undefined,
): boolean {
  if (status !== 'scored' || passed || !(weight > 0)) return false;
  return threshold === undefined || assertion_type === 'judge' || meetsThreshold(score, 1);
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

/**
 * The eval results of a trial; where its score meets a threshold and it failed all the same, those that decided it say
 * so in their details, unless a judge has said already that its verdict is not what its score implies. A judge's
 * metadata has the sentence as well, because reports show it instead of the details.
 */
export function withTrialNotes(
  evalResults: readonly EvalResult[],
  { status, score }: TrialScore,
  threshold: number | undefined,
): EvalResult[] {
  if (threshold === undefined || status !== 'failed' || score === null) return [...evalResults];
  if (!meetsThreshold(score, threshold)) return [...evalResults];
  const note = `It fails the trial, although the trial's score of ${formatScore(score)} meets the threshold of ${formatScore(threshold)}.`;
  return evalResults.map((result) => {
    const { metadata, details } = result;
    const said = Array.isArray(metadata.notes) ? metadata.notes : null;
    if (!failsTrial(result, threshold) || (said && said.length > 0)) return result;
    return { ...result, details: `${details} | ${note}`, metadata: { ...metadata, ...(said && { notes: [note] }) } };
  });
}

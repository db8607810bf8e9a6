import type { Assertion } from '../scenario/schema/assertion-schema.ts';
import type { TrialStatus } from './eval-result.ts';
import { type ScorableResult, scoreTrial } from './scorer.ts';

/** The scores that a judge could still give. */
export interface ScoreRange {
  lowest: number;
  highest: number;
}

/**
 * Whether all scores in a range have the same consequences for a trial, if the judge passes it. The other assertions
 * are known; other judges are asked at the same time, so each of them may give any score. With `exactScore` the score
 * itself is a consequence.
 */
export function sameForTrial(
  { lowest, highest }: ScoreRange,
  trial: {
    judge: Pick<Assertion, 'weight' | 'required'>;
    otherJudges: readonly Pick<Assertion, 'weight' | 'required'>[];
    known: readonly ScorableResult[];
    threshold: number | undefined;
    exactScore: boolean;
  },
): boolean {
  if (lowest === highest) return true;
  if (trial.exactScore) return false;
  const statusWith = (score: number, others: number): TrialStatus => {
    const judged = [passedWith(trial.judge, score), ...trial.otherJudges.map((judge) => passedWith(judge, others))];
    return scoreTrial([...trial.known, ...judged], trial.threshold).status;
  };
  return statusWith(lowest, 0) === statusWith(highest, 1);
}

/** Whether means of scores have to reach a `min_score` or `min_criteria`, by any of these settings. */
export function needsExactScores(...settings: readonly (object | null | undefined)[]): boolean {
  return settings.some((each) => {
    if (!each) return false;
    const hasMinScore = 'min_score' in each && typeof each.min_score === 'number';
    return hasMinScore || ('min_criteria' in each && each.min_criteria !== undefined);
  });
}

function passedWith({ weight, required }: Pick<Assertion, 'weight' | 'required'>, score: number): ScorableResult {
  return { assertion_type: 'judge', status: 'scored', passed: true, score, weight, required };
}

import type { EvalResult } from '../../evaluators/eval-result.ts';
import { readJudgement } from '../../judge/stored-judgement.ts';
import { type CriteriaScores, judgeScores } from './judge-words.ts';

/** The scores of a judge; null for any other assertion. */
export function scoresOfJudge({ metadata, status }: EvalResult): CriteriaScores | null {
  const judgement = status === 'scored' ? readJudgement(metadata) : null;
  return judgement && { ...judgement, criteria: judgement.per_criterion };
}

/** What an assertion found, in one line. Of a judge it is the score of each criterion. */
export function shortDetails(result: EvalResult): string {
  const scores = scoresOfJudge(result);
  return scores ? judgeScores(scores) : result.details;
}

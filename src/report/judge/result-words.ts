import type { EvalResult } from '../../evaluators/eval-result.ts';
import { readJudgement } from '../../judge/stored-judgement.ts';
import { formatCount } from '../../stats/format.ts';
import { type CriteriaScores, judgeScores } from './judge-words.ts';

/** The scores of a judge; null for any other assertion. */
export function scoresOfJudge({ metadata, status }: EvalResult): CriteriaScores | null {
  const judgement = status === 'scored' ? readJudgement(metadata) : null;
  return judgement && { ...judgement, criteria: judgement.per_criterion };
}

/** What judges did not see of a trial, one sentence for each judge. */
export function unseenByJudges(results: readonly EvalResult[]): string[] {
  return results.flatMap(({ assertion_id, metadata }) => {
    const judgement = readJudgement(metadata);
    const characters = (judgement?.left_out ?? []).reduce((total, each) => total + each.characters, 0);
    if (!judgement?.left_out?.length) return [];
    return [`${assertion_id}: the judge did not see ${formatCount(characters)} characters`];
  });
}

/** What an assertion found, in one line. Of a judge it is the score of each criterion. */
export function shortDetails(result: EvalResult): string {
  const scores = scoresOfJudge(result);
  return scores ? judgeScores(scores) : result.details;
}

import { readJudgement } from '../../judge/shown-judgement.ts';
import { cutEnd } from '../../text/cut-text.ts';
import type { AssertionFailure } from '../run-document.ts';

const LONGEST_REASONING = 300;

/** What a reader wants to see of a judge's failure, out of all its metadata; undefined when no judge was asked. */
export function judgeExample(metadata: Record<string, unknown>): AssertionFailure['judge'] {
  const judgement = readJudgement(metadata);
  if (!judgement) return undefined;
  const { judge_model, judge_k, per_criterion, dissenting_votes } = judgement;
  return {
    judge_model,
    k: judge_k,
    criteria: per_criterion.map(({ name, score, all_scores, reasoning }) => ({
      name,
      score,
      all_scores,
      reasoning: reasoning === null ? null : cutEnd(reasoning, LONGEST_REASONING),
    })),
    dissenting_votes,
  };
}

import type { EvalResult } from '../../evaluators/eval-result.ts';
import type { UncalibratedJudge } from '../../judge/calibration/judges-in-use.ts';
import { readJudgement } from '../../judge/stored-judgement.ts';
import { formatCount, formatPlural, formatScore, MISSING } from '../../stats/format.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';

/** A rubric's criterion with all its votes. */
export interface CriterionVotes {
  name: string;
  score: number;
  all_scores: readonly number[];
  /** Of the vote nearest the score. Written by a model. */
  reasoning: string | null;
}

/** What a judge said, as every report shows it. */
export interface CriteriaScores {
  judge_model: string;
  criteria: readonly CriterionVotes[];
  dissenting_votes: number;
  /** Of a decision model that is the only judge: how likely it passes. */
  probability?: number | undefined;
  /** Sentences about what the numbers do not tell. */
  notes?: readonly string[] | undefined;
}

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

export function criterionScore({ score, all_scores }: Omit<CriterionVotes, 'reasoning'>): string {
  return all_scores.length === 0 ? MISSING : formatScore(score);
}

/** All scores of a rubric in one line, after what they do not tell. */
export function judgeScores({
  criteria,
  notes = [],
}: Pick<CriteriaScores, 'notes'> & { criteria: readonly Omit<CriterionVotes, 'reasoning'>[] }): string {
  const scores = criteria.map((criterion) => `${criterion.name} ${criterionScore(criterion)}`).join(', ');
  return [...notes, scores].join(' ');
}

const MOST_WARNINGS = 5;

/** A warning for each judge that was never compared with people, and what to do about it. */
export function uncalibratedWarnings(judges: readonly UncalibratedJudge[]): string[] {
  const lines = judges.slice(0, MOST_WARNINGS).map(({ judgeModel, relativeFile, difference }) => {
    const file = safeLine(relativeFile, 100);
    if (difference !== null) {
      return `Warning: the judge ${safeLine(judgeModel, 80)} of ${file} was ${safeLine(difference, 300)}: calibrate again, with \`${salvoCommand()} calibrate labels.jsonl --scenario ${file}\`.`;
    }
    return `Warning: the judge ${safeLine(judgeModel, 80)} of ${file} was never compared with people. \`${salvoCommand()} calibrate labels.jsonl --scenario ${file}\` shows how far to trust it.`;
  });
  const rest = judges.length - MOST_WARNINGS;
  return rest > 0 ? [...lines, `Warning: ${formatPlural(rest, 'more judge')} never compared with people.`] : lines;
}

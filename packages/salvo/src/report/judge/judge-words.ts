import { formatPercent, formatPlural, formatScore } from '../../stats/format.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { sparkline } from '../terminal/bar.ts';
import { type CriteriaScores, type CriterionVotes, criterionScore } from './result-words.ts';

const LONGEST_REASONING = 300;
export const LONGEST_NOTE = 200;
const MOST_VOTES = 24;

/** The judge, the number of its votes, and how many of them dissented; of a decision model its probability. */
export function judgeHeadline({ judge_model, criteria, dissenting_votes, probability }: CriteriaScores): string {
  const model = safeLine(judge_model, 200);
  if (probability !== undefined)
    return `${model} · one decision, passes with ${formatPercent(probability)} probability`;
  const votes = criteria.reduce((most, { all_scores }) => Math.max(most, all_scores.length), 0);
  const dissent = dissenting_votes === 0 ? (votes > 1 ? ', none dissented' : '') : `, ${dissenting_votes} dissented`;
  return `${model} · ${formatPlural(votes, 'vote')}${dissent}`;
}

/** One bar for each vote, as high as its score. */
export function voteStrip({ all_scores }: CriterionVotes): string {
  const strip = sparkline(all_scores.slice(0, MOST_VOTES));
  return all_scores.length > MOST_VOTES ? `${strip}…` : strip;
}

/** Lowest and highest vote; empty when all votes are the same. */
export function voteRange({ all_scores }: CriterionVotes): string {
  if (all_scores.length === 0) return 'no vote';
  const [low, high] = [Math.min(...all_scores), Math.max(...all_scores)];
  return low === high ? '' : `${formatScore(low)}–${formatScore(high)}`;
}

/** For plain-text files. Not yet escaped. */
export function judgePlainLines(scores: CriteriaScores): string[] {
  return [
    judgeHeadline(scores),
    ...(scores.notes ?? []).map((note) => safeLine(note, LONGEST_NOTE)),
    ...scores.criteria.map((criterion) => {
      const { name, reasoning } = criterion;
      const range = voteRange(criterion);
      const words = reasoning ? `: ${safeLine(reasoning, LONGEST_REASONING)}` : '';
      return `  ${safeLine(name, 80)} ${criterionScore(criterion)}${range && ` (${range})`}${words}`;
    }),
  ];
}

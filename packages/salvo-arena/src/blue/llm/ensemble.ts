import { closedObject, type Fence, listTool, schemaReader } from 'salvo/kit/models';
import { z } from 'zod';
import type { Finding } from '../../match/claims/finding.ts';
import { allOrAbort } from '../all-or-abort.ts';
import type { FindingGroup } from '../merge-findings.ts';
import { prompt } from './ask-model.ts';
import { type DroppedFindings, mergeLists } from './clean-findings.ts';
import { askAboutEach, type Review } from './review.ts';
import type { Combination } from './technique.ts';

interface Ensemble {
  /** One for each specialist, of the same part of the code. */
  reviews: readonly Review[];
  combine: Combination;
  /** How one specialist reviews the code. */
  review: (review: Review) => Promise<Finding[]>;
  dropped: DroppedFindings;
}

/**
 * Several specialists as one. `union` keeps every finding. Otherwise all vote on every finding: `vote` keeps those that
 * more agree than disagree with, `intersection` those that all agree with; a `debate` repeats the vote on disputed
 * findings, with the arguments of both sides.
 */
export async function reviewTogether({ reviews, combine, review, dropped }: Ensemble): Promise<Finding[]> {
  const lists = await eachReview(reviews, review);
  const groups = mergeLists(lists, dropped);
  if (combine === 'union' || groups.length === 0) return groups.map(({ finding }) => finding);
  const votes = await ballotsOf(reviews, groups);
  if (combine === 'debate') await debate(reviews, groups, votes);
  const kept = groups.filter((_, index) => {
    const [yes, no] = [count(votes, index, true), count(votes, index, false)];
    return combine === 'intersection' ? yes === reviews.length : yes > no;
  });
  dropped.add('the specialists did not agree on it', groups.length - kept.length);
  return kept.map(({ finding }) => finding);
}

/** The votes of each specialist. One that reported a finding and does not vote on it agrees with it. */
async function ballotsOf(reviews: readonly Review[], groups: readonly FindingGroup[]): Promise<(Vote | undefined)[][]> {
  const findings = groups.map(({ finding }) => finding);
  const ballots = await eachReview(reviews, (review) => castBallot(review, findings));
  return ballots.map((ballot, specialist) =>
    groups.map(({ reporters }, index) => {
      return ballot[index] ?? (reporters.has(specialist) ? { agree: true, reason: 'I reported it.' } : undefined);
    }),
  );
}

async function debate(
  reviews: readonly Review[],
  groups: readonly FindingGroup[],
  votes: (Vote | undefined)[][],
): Promise<void> {
  const disputed = groups.flatMap((_, index) =>
    count(votes, index, true) > 0 && count(votes, index, false) > 0 ? [index] : [],
  );
  if (disputed.length === 0) return;
  const findings = groups.filter((_, index) => disputed.includes(index)).map(({ finding }) => finding);
  const voices = disputed.flatMap((index, number) =>
    votes.flatMap((ballot) => {
      const vote = ballot[index];
      return vote ? [`${number + 1}. ${vote.agree ? 'For' : 'Against'}: ${vote.reason}`] : [];
    }),
  );
  const again = await eachReview(reviews, (each) => castBallot(each, findings, voices));
  for (const [specialist, ballot] of again.entries()) {
    for (const [at, index] of disputed.entries()) {
      const vote = ballot[at];
      const mine = votes[specialist];
      if (vote && mine) mine[index] = vote;
    }
  }
}

function count(votes: readonly (readonly (Vote | undefined)[])[], index: number, agree: boolean): number {
  return votes.filter((ballot) => ballot[index]?.agree === agree).length;
}

function eachReview<T>(reviews: readonly Review[], ask: (review: Review) => Promise<T>): Promise<T[]> {
  const { signal } = reviews[0]?.analyst ?? {};
  return allOrAbort(
    signal,
    reviews.map((review) => (inner) => ask({ ...review, analyst: { ...review.analyst, signal: inner } })),
  );
}

const VOTE = listTool({
  name: 'vote_on_findings',
  description: 'Hands in your vote on every finding.',
  list: 'votes',
  items: closedObject({
    number: { type: 'integer', description: 'Of the finding.' },
    reason: { type: 'string', description: 'What in the code decides it, in one sentence.' },
    agree: { type: 'boolean', description: 'Whether the code has this flaw.' },
  }),
});

const voteSchema = z.object({
  number: z.coerce.number(),
  reason: z
    .string()
    .nullish()
    .transform((reason) => reason ?? ''),
  agree: z.boolean(),
});

/** What one specialist says of one finding. */
type Vote = Omit<z.infer<typeof voteSchema>, 'number'>;

const readVotes = schemaReader(
  z.object({ votes: z.array(voteSchema) }).transform(({ votes }) => votes),
  'It has no `votes`, each with `number`, `reason` and `agree`.',
);

/** A specialist's vote on each of the findings; undefined where it gave none. */
function castBallot(
  review: Review,
  findings: readonly Finding[],
  objections: readonly string[] = [],
): Promise<(Vote | undefined)[]> {
  return askAboutEach(review, findings, {
    words: (known, fence) => prompt('ballot', { known, arguments: fencedArguments(objections, fence) }),
    tool: VOTE,
    read: readVotes,
  });
}

/** What models say about untrusted code can be trusted no more than the code, so it is fenced, too. */
function fencedArguments(objections: readonly string[], fence: Fence): string {
  if (objections.length === 0) return '';
  return `${prompt('arguments', { arguments: fence.wrap('arguments', objections.join('\n')) })}\n`;
}

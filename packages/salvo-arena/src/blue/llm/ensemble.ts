import type { Finding } from '../../match/claims/finding.ts';
import { allOrAbort } from '../all-or-abort.ts';
import type { FindingGroup } from '../merge-findings.ts';
import { castBallot, type Vote } from './ballots.ts';
import { type DroppedFindings, mergeLists } from './clean-findings.ts';
import type { Review } from './review.ts';
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

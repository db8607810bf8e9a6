import type { VoteScores } from '../../models/scoring/read-scores.ts';
import { aggregateKVotes, isMajority, voteOutcomes, type WeightedCriterion } from './aggregation.ts';
import type { JudgeMetadata } from './judge-metadata.ts';

/** How votes become a judgement, and what of it matters. */
export interface Election {
  criteria: readonly WeightedCriterion[];
  threshold: number;
  aggregation: JudgeMetadata['aggregation'];
  /** Readable votes needed before there is a verdict at all. */
  quorum: number;
  /**
   * Whether all scores that are still possible have the same consequences. When missing, only the verdict has any.
   * `passed` is the verdict that is settled.
   */
  isScoreSettled?: ((range: { lowest: number; highest: number; passed: boolean }) => boolean) | undefined;
}

/** A vote that was cast; `scores` is null when it could not be read. */
export interface CountedVote {
  scores: VoteScores | null;
  weight: number;
  /** How many votes it counts for towards the quorum; 1 when missing. */
  counts?: number | undefined;
}

type OpenVote = Pick<CountedVote, 'weight' | 'counts'>;

interface Votes {
  cast: readonly CountedVote[];
  open: readonly OpenVote[];
}

/** Whether no further vote can change anything that matters: the verdict, that there is none, or the score. */
export function isSettled(election: Election, cast: readonly CountedVote[], open: readonly OpenVote[]): boolean {
  const tally = tallyOf(election, { cast, open });
  if (!isVerdictSettled(tally)) return false;
  // Without a verdict there is no score.
  if (open.length === 0 || tally.readable < tally.quorum) return true;
  const passed = isMajority(tally);
  return election.isScoreSettled?.({ ...reachableScores(election, { cast, open }), passed }) ?? true;
}

/**
 * How many votes to cast at once: as many as are needed in any case. Votes settle the outcome soonest when they all
 * have the highest scores, all the lowest, or are all unreadable.
 */
export function nextWave(election: Election, cast: readonly CountedVote[], open: readonly OpenVote[]): number {
  const cases = [allScored(election, 1), allScored(election, 0), null];
  return Math.min(...cases.map((scores) => votesUntilSettled(election, { cast, open }, scores)));
}

/** How many of the open votes settle the outcome, if all of them have these scores. */
function votesUntilSettled(election: Election, { cast, open }: Votes, scores: VoteScores | null): number {
  const votes = open.map((vote) => ({ ...vote, scores }));
  for (let count = 1; count < open.length; count += 1) {
    if (isSettled(election, [...cast, ...votes.slice(0, count)], open.slice(count))) return count;
  }
  return open.length;
}

/** The votes cast so far, and those that could still be cast. */
interface VoteTally {
  /** Weights of the votes that passed, that failed, and that could still be cast. */
  passed: number;
  failed: number;
  open: number;
  /** How many could still be cast. */
  openVotes: number;
  quorum: number;
  readable: number;
}

/**
 * A tie fails, and an open vote may turn out unreadable.
 * @internal Exported for its tests.
 */
export function isVerdictSettled({ passed, failed, open, openVotes, quorum, readable }: VoteTally): boolean {
  if (readable + openVotes < quorum) return true;
  if (readable < quorum) return false;
  return isMajority({ passed, failed: failed + open }) || !isMajority({ passed: passed + open, failed });
}

function tallyOf({ criteria, threshold, quorum }: Election, { cast, open }: Votes): VoteTally {
  const tally = { passed: 0, failed: 0, open: 0, openVotes: 0, quorum, readable: 0 };
  for (const { scores, weight, counts = 1 } of cast) {
    const [outcome] = scores ? voteOutcomes([scores], criteria, threshold) : [];
    if (!outcome) continue;
    tally.readable += counts;
    tally[outcome.passed ? 'passed' : 'failed'] += weight;
  }
  for (const { weight, counts = 1 } of open) {
    tally.open += weight;
    tally.openVotes += counts;
  }
  return tally;
}

/**
 * The lowest and the highest score that the open votes can lead to. A vote of zeros lowers the score and a vote of ones
 * raises it, or neither changes it, whatever the others are; so an unreadable vote, which does neither, is in between.
 */
function reachableScores(election: Election, votes: Votes): { lowest: number; highest: number } {
  // Not so for a trimmed mean of unequal weights: a heavy vote that rises to the top is cut off there.
  const weights = new Set([...votes.cast, ...votes.open].map(({ weight }) => weight));
  if (election.aggregation === 'trimmed_mean' && weights.size > 1) return { lowest: 0, highest: 1 };
  return { lowest: scoreIfAll(election, votes, 0), highest: scoreIfAll(election, votes, 1) };
}

function scoreIfAll(election: Election, { cast, open }: Votes, score: number): number {
  const readable = cast.flatMap(({ scores, weight }) => (scores ? [{ scores, weight }] : []));
  const scores = allScored(election, score);
  const votes = [...readable, ...open.map(({ weight }) => ({ scores, weight }))];
  return aggregateKVotes(
    votes.map((vote) => vote.scores),
    election.criteria,
    election.threshold,
    { aggregation: election.aggregation, voteWeights: votes.map(({ weight }) => weight) },
  ).overallScore;
}

function allScored({ criteria }: Election, score: number): VoteScores {
  return Object.fromEntries(criteria.map(({ name }) => [name, { score, reasoning: '' }]));
}

import { isMajority } from './aggregation.ts';

/** The votes cast so far, and those that could still be cast. */
export interface VoteTally {
  /** Weights of the votes that passed, that failed, and that could still be cast. */
  passed: number;
  failed: number;
  open: number;
  /** How many could still be cast. */
  openVotes: number;
  /** Readable votes needed before there is a verdict at all, and how many there are. */
  quorum: number;
  readable: number;
}

/**
 * Whether no further vote can change the outcome: pass, fail, or no verdict because too few votes are readable. A tie
 * fails, and an open vote may turn out unreadable.
 */
export function isVerdictSettled({ passed, failed, open, openVotes, quorum, readable }: VoteTally): boolean {
  if (readable + openVotes < quorum) return true;
  if (readable < quorum) return false;
  return isMajority({ passed, failed: failed + open }) || !isMajority({ passed: passed + open, failed });
}

/**
 * How many votes to cast at once: as many as are needed in any case. The outcome is settled soonest when all of them
 * pass, all fail or all are unreadable, so the fewest votes of these three cases are always needed.
 */
export function nextWave(tally: VoteTally, openVotes: readonly { weight: number }[]): number {
  const outcomes: VoteOutcome[] = ['passed', 'failed', 'unreadable'];
  return Math.min(...outcomes.map((outcome) => votesUntilSettled(tally, openVotes, outcome)));
}

type VoteOutcome = 'passed' | 'failed' | 'unreadable';

/** The number of votes that settle the verdict if they all have this outcome. */
function votesUntilSettled(tally: VoteTally, openVotes: readonly { weight: number }[], outcome: VoteOutcome): number {
  const now = { ...tally };
  for (const [index, { weight }] of openVotes.entries()) {
    now.open -= weight;
    now.openVotes -= 1;
    if (outcome !== 'unreadable') {
      now.readable += 1;
      now[outcome] += weight;
    }
    if (isVerdictSettled(now)) return index + 1;
  }
  return openVotes.length;
}

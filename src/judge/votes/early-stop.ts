import { isMajority } from './majority.ts';

/** The votes so far. */
export interface VoteTally {
  /** The weight of those that passed, of those that failed, and of those that could still be cast. */
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
 * Whether no further vote can change the outcome: pass, fail, or no verdict for want of readable votes. A tie fails, and
 * an open vote may turn out unreadable.
 */
export function isVerdictSettled({ passed, failed, open, openVotes, quorum, readable }: VoteTally): boolean {
  if (readable + openVotes < quorum) return true;
  if (readable < quorum) return false;
  return isMajority({ passed, failed: failed + open }) || !isMajority({ passed: passed + open, failed });
}

/**
 * How many votes to buy at once: as many as are needed in any case. After fewer the outcome cannot be settled, whatever
 * they say: all passed, all failed and all unreadable are the ways that settle it soonest.
 */
export function nextWave(tally: VoteTally, openVotes: readonly { weight: number }[]): number {
  const ends: Prospect[] = ['passed', 'failed', 'unreadable'];
  return Math.min(...ends.map((prospect) => votesUntilSettled(tally, openVotes, prospect)));
}

type Prospect = 'passed' | 'failed' | 'unreadable';

/** If they all came out like this. */
function votesUntilSettled(tally: VoteTally, openVotes: readonly { weight: number }[], prospect: Prospect): number {
  const now = { ...tally };
  for (const [index, { weight }] of openVotes.entries()) {
    now.open -= weight;
    now.openVotes -= 1;
    if (prospect !== 'unreadable') {
      now.readable += 1;
      now[prospect] += weight;
    }
    if (isVerdictSettled(now)) return index + 1;
  }
  return openVotes.length;
}

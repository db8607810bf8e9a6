import { isMajority } from '../../judge/votes/majority.ts';
import type { VoteRecord } from '../../judge/votes/vote.ts';
import type { ModelDecision } from '../results/score-results.ts';

type Opinion = Omit<ModelDecision['opinions'][number], 'adapter' | 'model'>;

/**
 * What one model says of a pair: what the strict majority of its votes says. It cannot tell when half of its votes or
 * more could not be read, or when they are tied.
 */
export function opinionOf(votes: readonly VoteRecord[]): Opinion {
  const readable = votes.filter(({ passed }) => passed !== null);
  const yes = readable.filter(({ passed }) => passed).length;
  const same = readable.length * 2 > votes.length ? majority(yes, readable.length - yes) : null;
  const agreeing = readable.filter(({ passed }) => same === null || passed === same);
  return {
    same,
    votes: readable.length,
    reasoning: agreeing.flatMap(({ scores }) => Object.values(scores ?? {})).find(hasReason)?.reasoning ?? '',
    error: same === null ? problemOf(votes, yes, readable.length - yes) : null,
  };
}

/** What several models say: the strict majority of those who could tell. Null when nobody could, or they are tied. */
export function consensusOf(opinions: readonly Pick<Opinion, 'same'>[]): boolean | null {
  const count = (side: boolean) => opinions.filter(({ same }) => same === side).length;
  return majority(count(true), count(false));
}

function majority(yes: number, no: number): boolean | null {
  if (isMajority({ passed: yes, failed: no })) return true;
  return isMajority({ passed: no, failed: yes }) ? false : null;
}

function hasReason({ reasoning }: { reasoning: string }): boolean {
  return reasoning.trim() !== '';
}

function problemOf(votes: readonly VoteRecord[], yes: number, no: number): string {
  const error = votes.find((vote) => vote.error !== null)?.error;
  return error ?? `its votes are tied, ${yes} to ${no}`;
}

import type { ScoreAnswer } from 'salvo/kit/models';
import type { ModelDecision } from '../results/score-results.ts';
import { SAME_FLAW } from './same-flaw-messages.ts';

type Opinion = Omit<ModelDecision['opinions'][number], 'adapter' | 'model'>;

/**
 * What one model says of a pair: the strict majority of its votes. `same` is null when half of its votes or more could
 * not be read, or when they are tied.
 */
export function opinionOf(votes: readonly ScoreAnswer[]): Opinion {
  const readable = votes.flatMap(({ scores }) => scores?.[SAME_FLAW.name] ?? []);
  const yes = readable.filter(isYes).length;
  const no = readable.length - yes;
  const same = readable.length * 2 > votes.length ? strictMajority(yes, no) : null;
  const agreeing = readable.filter((vote) => same === null || isYes(vote) === same);
  const error = votes.find((vote) => vote.error !== null)?.error ?? `its votes are tied, ${yes} to ${no}`;
  return {
    same,
    votes: readable.length,
    reasoning: agreeing.find(({ reasoning }) => reasoning.trim() !== '')?.reasoning ?? '',
    error: same === null ? error : null,
  };
}

/** What several models say: the strict majority of those with an opinion. Null when none has one, or they are tied. */
export function consensusOf(opinions: readonly Pick<Opinion, 'same'>[]): boolean | null {
  const count = (side: boolean) => opinions.filter(({ same }) => same === side).length;
  return strictMajority(count(true), count(false));
}

function strictMajority(yes: number, no: number): boolean | null {
  return yes === no ? null : yes > no;
}

function isYes({ score }: { score: number }): boolean {
  return score >= 0.5;
}

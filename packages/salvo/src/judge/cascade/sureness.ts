import type { Judgement } from '../votes/judge-request.ts';

/**
 * How sure a judge is of its verdict: the probability of its decision, or the share of its votes that agree with the
 * verdict. Five of five votes are 1: the share says how much a judge agrees with itself, not how often it is right, which
 * only labels tell. A vote that could not be read does not agree. Null without a verdict, and for a single vote of a chat
 * model.
 */
export function surenessOf({ score, passed, metadata }: Judgement): number | null {
  if (score === null) return null;
  const { probability, votes, saved_calls } = metadata;
  if (probability !== undefined) return Math.max(probability, 1 - probability);
  const asked = votes.length + saved_calls;
  return asked < 2 ? null : votes.filter((vote) => vote.passed === passed).length / asked;
}

import { z } from 'zod';
import { sumOrUnknown } from '../../stats/sum-or-unknown.ts';
import type { TrialResult } from '../../trial/trial-result.ts';

const votesSchema = z.array(
  z.object({
    vote_number: z.int(),
    cost_usd: z.number().nullable(),
    cached: z.boolean(),
    scores: z.unknown(),
  }),
);

interface PaidVote {
  /** The same for the same vote of the same assertion. */
  key: string;
  costUsd: number | null;
  isCached: boolean;
  isReadable: boolean;
}

/**
 * What votes on a trial cost that a later judgement of the same trial did not use. Without a later judgement: of those
 * that it cannot use, because only readable votes are cached.
 */
export function unusedVotesCost(
  earlier: TrialResult | null,
  later: { judgement: TrialResult } | { hasCache: boolean },
): number | null {
  if (earlier === null) return 0;
  const votes = votesOf(earlier);
  if (!('judgement' in later)) {
    return sumOrUnknown(votes.filter(({ isReadable }) => !later.hasCache || !isReadable).map(({ costUsd }) => costUsd));
  }
  const reused = new Set(votesOf(later.judgement).flatMap(({ key, isCached }) => (isCached ? [key] : [])));
  return sumOrUnknown(votes.filter(({ key }) => !reused.has(key)).map(({ costUsd }) => costUsd));
}

function votesOf(result: TrialResult): PaidVote[] {
  return result.eval_results.flatMap(({ assertion_id, metadata }) => {
    const votes = votesSchema.safeParse(metadata.votes);
    if (!votes.success) return [];
    return votes.data.map(({ vote_number, cost_usd, cached, scores }) => ({
      key: `${assertion_id} ${vote_number}`,
      costUsd: cost_usd,
      isCached: cached,
      isReadable: scores !== null && scores !== undefined,
    }));
  });
}

import { z } from 'zod';
import { type Cost, costSince, knownUsd, NO_COST, sumCosts } from '../../stats/cost.ts';
import { agentCost, atLeastSchema, judgeCost, judgeCostFields } from '../../trace/cost-fields.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import type { TrialCost } from '../record/run-record.ts';

const votesSchema = z.array(
  z.object({
    vote_number: z.int(),
    cost_usd: z.number().nullable(),
    cost_at_least: atLeastSchema.optional(),
    cached: z.boolean(),
    scores: z.unknown(),
  }),
);

interface PaidVote {
  /** The same for the same vote of the same assertion. */
  key: string;
  cost: Cost;
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
): Cost {
  if (earlier === null) return NO_COST;
  const votes = votesOf(earlier);
  if (!('judgement' in later)) {
    return sumCosts(votes.filter(({ isReadable }) => !later.hasCache || !isReadable).map(({ cost }) => cost));
  }
  const reused = new Set(votesOf(later.judgement).flatMap(({ key, isCached }) => (isCached ? [key] : [])));
  return sumCosts(votes.filter(({ key }) => !reused.has(key)).map(({ cost }) => cost));
}

/**
 * What a lost attempt has added to the cost of a trial while it was judged again, less the votes of that attempt which
 * the new judgement found in the cache: they are on the bill with it.
 */
export function withoutVotesBilled(lost: TrialCost, result: TrialResult | null): TrialCost {
  if (result === null) return lost;
  const found = sumCosts(votesOf(result).flatMap(({ isCached, cost }) => (isCached ? [cost] : [])));
  const twice = Math.min(knownUsd(found), knownUsd(judgeCost(lost)));
  return twice > 0 ? { ...lost, ...judgeCostFields(costSince({ usd: twice }, judgeCost(lost))) } : lost;
}

function votesOf(result: TrialResult): PaidVote[] {
  return result.eval_results.flatMap(({ assertion_id, metadata }) => {
    const votes = votesSchema.safeParse(metadata.votes);
    if (!votes.success) return [];
    return votes.data.map(({ vote_number, cached, scores, ...paid }) => ({
      key: `${assertion_id} ${vote_number}`,
      cost: agentCost(paid),
      isCached: cached,
      isReadable: scores !== null && scores !== undefined,
    }));
  });
}

import { createHash } from 'node:crypto';
import { knownUsd } from 'salvo/kit/stats';
import { gameCost } from '../game/game-cost.ts';
import { gameSchema } from '../game/game-document.ts';

const costsSchema = gameSchema.pick({
  ...{ red_cost_usd: true, blue_cost_usd: true, judge_cost_usd: true },
  ...{ red_cost_at_least: true, blue_cost_at_least: true, judge_cost_at_least: true },
});

/** A cost of an experiment that is in none of its games. One with the same id is kept once. */
export interface LostCost {
  id: string;
  usd: number;
}

/**
 * What the stored game has cost that is replaced by another; null if nothing is known, or if it is the same game, which a
 * repeated transaction saves twice. Both are documents as they are stored: amounts are never kept apart from them.
 */
export function replacedCost(gameId: string, stored: string, next: string): LostCost | null {
  if (stored === next) return null;
  const usd = knownUsd(gameCost(costsSchema.parse(JSON.parse(stored))));
  if (usd <= 0) return null;
  return {
    id: createHash('sha256')
      .update(JSON.stringify([gameId, stored]))
      .digest('hex')
      .slice(0, 32),
    usd,
  };
}

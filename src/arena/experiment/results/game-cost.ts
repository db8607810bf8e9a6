import { sumOfKnown, sumOrUnknown } from '../../../stats/sum-or-unknown.ts';
import type { Game } from '../../game/game-document.ts';

export interface GameCost {
  /** Null when part of it is unknown. */
  usd: number | null;
  /** The sum of the known parts. */
  known: number;
}

export function gameCost({
  red_cost_usd,
  blue_cost_usd,
  judge_cost_usd,
}: Pick<Game, 'red_cost_usd' | 'blue_cost_usd' | 'judge_cost_usd'>): GameCost {
  const parts = [red_cost_usd, blue_cost_usd, judge_cost_usd];
  return { usd: sumOrUnknown(parts), known: sumOfKnown(parts) };
}

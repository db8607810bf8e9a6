import type { Game } from '../../game/game-document.ts';

export interface GameCost {
  /** Null when part of it is unknown. */
  usd: number | null;
  /** As far as it is known. */
  known: number;
}

export function gameCost({
  red_cost_usd,
  blue_cost_usd,
  judge_cost_usd,
}: Pick<Game, 'red_cost_usd' | 'blue_cost_usd' | 'judge_cost_usd'>): GameCost {
  const parts = [red_cost_usd, blue_cost_usd, judge_cost_usd];
  const known = parts.reduce<number>((sum, part) => sum + (part ?? 0), 0);
  return { usd: parts.includes(null) ? null : known, known };
}

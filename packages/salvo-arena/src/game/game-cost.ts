import { type Cost, sumCosts } from 'salvo/kit/page';
import type { Game } from './game-document.ts';

/** The sides of a game that may ask models. */
export const PAID_SIDES = ['red', 'blue', 'judge'] as const;

type PaidSide = (typeof PAID_SIDES)[number];
type GameCosts = Pick<Game, `${PaidSide}_cost_usd` | `${PaidSide}_cost_at_least`>;

/** What one side of a game cost. */
export function sideCost(game: GameCosts, side: PaidSide): Cost {
  return { usd: game[`${side}_cost_usd`], at_least: game[`${side}_cost_at_least`] };
}

export function gameCost(game: GameCosts): Cost {
  return sumCosts(PAID_SIDES.map((side) => sideCost(game, side)));
}

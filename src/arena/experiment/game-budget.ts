import { type Budget, createBudget } from '../../models/budget.ts';
import type { EarlierGames } from './earlier-games.ts';
import type { ExperimentPlan } from './plan/experiment-plan.ts';

/** A budget of games: each pair of Red and Blue is a kind of its own, with a price of its own. */
export interface GameBudget {
  reserve(teams: { red: string; blue: string }): ReturnType<Budget['reserve']>;
  readonly isExhausted: boolean;
}

/** What earlier games cost is spent, and the most of each kind is what the next of it may cost. */
export async function openGameBudget(
  plan: ExperimentPlan,
  limitUsd: number | null,
  { spentUsd, highest }: Pick<EarlierGames, 'spentUsd' | 'highest'>,
): Promise<GameBudget> {
  const kindOf = ({ red, blue }: { red: string; blue: string }) =>
    plan.red.indexOf(red) * plan.blue.length + plan.blue.indexOf(blue);
  const rest = [...highest.values()].reduce((left, { usd }) => left - usd, spentUsd);
  const budget = createBudget(limitUsd, Math.max(0, rest));
  for (const { red, blue, usd } of highest.values()) {
    const reservation = await budget.reserve(kindOf({ red, blue }));
    reservation?.spend(usd);
    reservation?.release();
  }
  return {
    reserve: (teams) => budget.reserve(kindOf(teams)),
    get isExhausted() {
      return budget.refusal !== null;
    },
  };
}

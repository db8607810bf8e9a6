import { type Budget, createBudget } from '../../models/budget.ts';
import type { EarlierGames } from './earlier-games.ts';
import type { ExperimentPlan } from './plan/experiment-plan.ts';

/** A budget of games: each pair of Red and Blue is a kind of its own, with a price of its own. */
export interface GameBudget {
  reserve(teams: { red: string; blue: string }): ReturnType<Budget['reserve']>;
  readonly isExhausted: boolean;
}

/** Counts what earlier games cost as spent, and expects of the next game of a pair what the most expensive one cost. */
export function openGameBudget(
  plan: ExperimentPlan,
  limitUsd: number | null,
  { spentUsd, highest }: Pick<EarlierGames, 'spentUsd' | 'highest'>,
): GameBudget {
  const kindOf = ({ red, blue }: { red: string; blue: string }) =>
    plan.red.indexOf(red) * plan.blue.length + plan.blue.indexOf(blue);
  const highestByKind = new Map([...highest.values()].map(({ red, blue, usd }) => [kindOf({ red, blue }), usd]));
  const budget = createBudget(limitUsd, { spentUsd, highest: highestByKind });
  return {
    reserve: (teams) => budget.reserve(kindOf(teams)),
    get isExhausted() {
      return budget.refusal !== null;
    },
  };
}

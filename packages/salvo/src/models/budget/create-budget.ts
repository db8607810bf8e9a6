import { type Budget, type EarlierSpending, NO_LIMIT } from './budget.ts';
import { newBudgetState, renewLease } from './budget-state.ts';
import { learnTrial } from './known-costs.ts';
import { type BudgetActivity, LeasedBudget } from './leased-budget.ts';

/** A budget that this process keeps alone; null for no limit. */
export function createBudget(limitUsd: number | null, earlier?: EarlierSpending): Budget {
  const budget = limitUsd === null ? NO_LIMIT : new ProcessBudget(limitUsd);
  if (earlier) budget.addEarlier(earlier);
  return budget;
}

/** Its state is at hand, so the lease is renewed whenever something waits. */
class ProcessBudget extends LeasedBudget {
  readonly #state;

  constructor(limitUsd: number) {
    super();
    this.#state = newBudgetState(limitUsd);
  }

  addEarlier({ spentUsd, highest = new Map() }: EarlierSpending): void {
    this.#state.spent += spentUsd;
    for (const [kind, usd] of highest) learnTrial(this.#state, kind, usd);
  }

  protected onChange({ waits }: BudgetActivity): void {
    if (waits.size === 0) return;
    this.accept(renewLease(this.#state, 'this process', this.report(), { nowMs: 0, isAlive: () => true }));
  }

  protected isReachable(): boolean {
    return true;
  }
}

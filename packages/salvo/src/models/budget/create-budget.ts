import { type Budget, type EarlierSpending, NO_LIMIT } from './budget.ts';
import { newBudgetState, renewLease } from './budget-state.ts';
import { learnTrial } from './known-costs.ts';
import { LeasedBudget } from './leased-budget.ts';

/** A budget that this process keeps alone; null for no limit. */
export function createBudget(limitUsd: number | null, earlier?: EarlierSpending): Budget {
  const budget = limitUsd === null ? NO_LIMIT : budgetOfThisProcess(limitUsd);
  if (earlier) budget.addEarlier(earlier);
  return budget;
}

/** Its state is at hand, so the lease is renewed whenever something waits. */
function budgetOfThisProcess(limitUsd: number): Budget {
  const state = newBudgetState(limitUsd);
  const leased: LeasedBudget = new LeasedBudget({
    isReachable: () => true,
    onChange({ waits }) {
      if (waits.size === 0) return;
      leased.accept(renewLease(state, 'this process', leased.report(), { nowMs: 0, isAlive: () => true }));
    },
  });
  return {
    admit: (describe, signal) => leased.admit(describe, signal),
    reserve: (kind, signal) => leased.reserve(kind, signal),
    addEarlier({ spentUsd, highest = new Map() }) {
      state.spent += spentUsd;
      for (const [kind, usd] of highest) learnTrial(state, kind, usd);
    },
    get refusal() {
      return leased.refusal;
    },
  };
}

import { type AtLeast, type Cost, NO_COST, UNKNOWN_CALL } from '../stats/cost.ts';
import type { Trace } from './trace.ts';

export interface AgentCostFields {
  cost_usd: number | null;
  cost_at_least?: AtLeast | undefined;
}

export interface JudgeCostFields {
  judge_cost_usd: number | null;
  judge_cost_at_least?: AtLeast | undefined;
}

/** Both are missing where no simulated user cost anything. */
export interface UserCostFields {
  user_cost_usd?: number | null | undefined;
  user_cost_at_least?: AtLeast | undefined;
}

export function agentCost({ cost_usd: usd, cost_at_least }: AgentCostFields): Cost {
  return costOf(usd, cost_at_least);
}

export function judgeCost({ judge_cost_usd: usd, judge_cost_at_least }: JudgeCostFields): Cost {
  return costOf(usd, judge_cost_at_least);
}

export function userCost({ user_cost_usd: usd, user_cost_at_least }: UserCostFields): Cost {
  return usd === undefined ? NO_COST : costOf(usd, user_cost_at_least);
}

/** What the simulated user of a trace cost. */
export function userCostOfTrace({ simulated_user }: Pick<Trace, 'simulated_user'>): Cost {
  return simulated_user ? agentCost(simulated_user) : NO_COST;
}

/** In traces, results and votes of earlier versions, and from elsewhere, an unknown cost is that of one call or more. */
function costOf(usd: number | null, at_least: AtLeast | undefined): Cost {
  return usd === null && !at_least ? UNKNOWN_CALL : { usd, at_least };
}

export function agentCostFields({ usd, at_least }: Cost): AgentCostFields {
  return { cost_usd: usd, ...(at_least && { cost_at_least: at_least }) };
}

export function judgeCostFields({ usd, at_least }: Cost): JudgeCostFields {
  return { judge_cost_usd: usd, ...(at_least && { judge_cost_at_least: at_least }) };
}

export function userCostFields({ usd, at_least }: Cost): UserCostFields {
  return usd === 0 ? {} : { user_cost_usd: usd, ...(at_least && { user_cost_at_least: at_least }) };
}

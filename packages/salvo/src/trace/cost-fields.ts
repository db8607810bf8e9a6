import { type AtLeast, type Cost, UNKNOWN_CALL } from '../stats/cost.ts';

export interface AgentCostFields {
  cost_usd: number | null;
  cost_at_least?: AtLeast | undefined;
}

export interface JudgeCostFields {
  judge_cost_usd: number | null;
  judge_cost_at_least?: AtLeast | undefined;
}

export function agentCost({ cost_usd: usd, cost_at_least }: AgentCostFields): Cost {
  return costOf(usd, cost_at_least);
}

export function judgeCost({ judge_cost_usd: usd, judge_cost_at_least }: JudgeCostFields): Cost {
  return costOf(usd, judge_cost_at_least);
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

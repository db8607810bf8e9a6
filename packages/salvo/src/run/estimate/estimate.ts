import { sumOrUnknown } from '../../stats/sum-or-unknown.ts';

/** A typical cost and an upper bound. Null if a price is unknown. */
export type CostEstimate = { typical: number; most: number } | null;

export interface JudgeEstimate {
  assertion_id: string;
  adapter: string;
  model: string;
  /** `early_stop` may save votes, and each vote that cannot be read takes a second call. */
  calls: { fewest: number; most: number };
  cached_votes: number;
  /** Of all votes together, if none is saved and none is repaired. */
  input_tokens: number;
  cost_usd: CostEstimate;
}

export interface ScenarioEstimate {
  name: string;
  file: string;
  trials: number;
  /** Null if stored traces are judged again. */
  agent: {
    adapter: string;
    model: string;
    runs: number;
    /** By the cost of stored trials; null if there are none, or if a price is unknown. */
    cost_usd: number | null;
  } | null;
  judges: JudgeEstimate[];
  /** How many stored traces it is based on. If 0, the judges' prompts lack the agent's answers. */
  traces: number;
}

/** What a run or a reevaluation would call and cost. A document that `--json` prints. */
export interface Estimate {
  agent_runs: number;
  agent_cost_usd: number | null;
  judge_calls: { fewest: number; most: number };
  judge_cost_usd: CostEstimate;
  cached_votes: number;
  scenarios: ScenarioEstimate[];
}

export function totalEstimate(scenarios: ScenarioEstimate[]): Estimate {
  const judges = scenarios.flatMap((scenario) => scenario.judges);
  const agents = scenarios.flatMap(({ agent }) => (agent ? [agent] : []));
  const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);
  return {
    agent_runs: sum(agents.map(({ runs }) => runs)),
    agent_cost_usd: sumOrUnknown(agents.map(({ cost_usd }) => cost_usd)),
    judge_calls: {
      fewest: sum(judges.map(({ calls }) => calls.fewest)),
      most: sum(judges.map(({ calls }) => calls.most)),
    },
    judge_cost_usd: judges.map(({ cost_usd }) => cost_usd).reduce(addCosts, { typical: 0, most: 0 }),
    cached_votes: sum(judges.map(({ cached_votes }) => cached_votes)),
    scenarios,
  };
}

/** One unknown part makes the sum unknown. */
export function addCosts(a: CostEstimate, b: CostEstimate): CostEstimate {
  return a && b ? { typical: a.typical + b.typical, most: a.most + b.most } : null;
}

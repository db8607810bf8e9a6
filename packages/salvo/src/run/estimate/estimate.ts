import { z } from 'zod';
import { sumOrUnknown } from '../../stats/sum-or-unknown.ts';

const callsSchema = z.object({ fewest: z.int(), most: z.int() });
/** A typical cost and an upper bound. Null if a price is unknown. */
const costEstimateSchema = z.object({ typical: z.number(), most: z.number() }).nullable();

const judgeEstimateSchema = z.object({
  assertion_id: z.string(),
  adapter: z.string(),
  model: z.string(),
  /** `early_stop` may save votes, and each vote that cannot be read takes a second call. */
  calls: callsSchema,
  cached_votes: z.int(),
  /** Of all votes together, if none is saved and none is repaired. */
  input_tokens: z.number(),
  cost_usd: costEstimateSchema,
});

const scenarioEstimateSchema = z.object({
  name: z.string(),
  file: z.string(),
  trials: z.int(),
  /**
   * Null if stored traces are judged again. The cost is by that of stored trials; null if there are none, or if a price
   * is unknown.
   */
  agent: z
    .object({ adapter: z.string(), model: z.string(), runs: z.int(), cost_usd: z.number().nullable() })
    .nullable(),
  /** The model that plays the user; missing without one. The cost is by that of stored trials. */
  user: z
    .object({ adapter: z.string(), model: z.string(), calls: callsSchema, cost_usd: z.number().nullable() })
    .optional(),
  judges: z.array(judgeEstimateSchema),
  /** How many stored traces it is based on. If 0, the judges' prompts lack the agent's answers. */
  traces: z.int(),
});

/** What a run or a reevaluation would call and cost. A document that `--json` prints. */
export const estimateSchema = z.object({
  agent_runs: z.int(),
  agent_cost_usd: z.number().nullable(),
  /** Of models that play users; missing without any. */
  user_calls: callsSchema.optional(),
  user_cost_usd: z.number().nullable().optional(),
  judge_calls: callsSchema,
  judge_cost_usd: costEstimateSchema,
  cached_votes: z.int(),
  scenarios: z.array(scenarioEstimateSchema),
});

export type CostEstimate = z.infer<typeof costEstimateSchema>;
export type JudgeEstimate = z.infer<typeof judgeEstimateSchema>;
export type ScenarioEstimate = z.infer<typeof scenarioEstimateSchema>;
export type Estimate = z.infer<typeof estimateSchema>;

export function totalEstimate(scenarios: ScenarioEstimate[]): Estimate {
  const judges = scenarios.flatMap((scenario) => scenario.judges);
  const agents = scenarios.flatMap(({ agent }) => (agent ? [agent] : []));
  const users = scenarios.flatMap(({ user }) => user ?? []);
  const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);
  const callsOf = (asked: readonly { calls: z.infer<typeof callsSchema> }[]) => ({
    fewest: sum(asked.map(({ calls }) => calls.fewest)),
    most: sum(asked.map(({ calls }) => calls.most)),
  });
  return {
    agent_runs: sum(agents.map(({ runs }) => runs)),
    agent_cost_usd: sumOrUnknown(agents.map(({ cost_usd }) => cost_usd)),
    ...(users.length > 0 && {
      user_calls: callsOf(users),
      user_cost_usd: sumOrUnknown(users.map(({ cost_usd }) => cost_usd)),
    }),
    judge_calls: callsOf(judges),
    judge_cost_usd: judges.map(({ cost_usd }) => cost_usd).reduce(addCosts, { typical: 0, most: 0 }),
    cached_votes: sum(judges.map(({ cached_votes }) => cached_votes)),
    scenarios,
  };
}

/** One unknown part makes the sum unknown. */
export function addCosts(a: CostEstimate, b: CostEstimate): CostEstimate {
  return a && b ? { typical: a.typical + b.typical, most: a.most + b.most } : null;
}

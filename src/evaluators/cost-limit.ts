import type { AssertionOf } from '../scenario/schema/assertion-schema.ts';
import type { Evaluator } from './evaluator.ts';

/** Room for sums of prices such as 0.1 + 0.2, which are 0.3 to everyone but a computer. */
const TOLERANCE = 1e-9;

/** The trial cost no more than so many US dollars. An unknown cost is neither more nor less: it is not scored. */
export const evaluateCostLimit: Evaluator<AssertionOf<'cost_limit'>> = (assertion, trace) => {
  const limit = assertion.max_usd;
  if (trace.cost_usd === null) {
    const why = trace.total_tokens === null ? unknownTokens(trace.provider) : unknownPrice(trace.model);
    return { score: null, details: `the cost is unknown, so it cannot be held against ${limit} USD: ${why}` };
  }
  const within = trace.cost_usd <= limit * (1 + TOLERANCE);
  return { score: within ? 1 : 0, details: `cost ${showUsd(trace.cost_usd)} USD, at most ${limit} USD allowed` };
};

function unknownPrice(model: string): string {
  return `add a price for "${model}" under "prices" in salvo.yaml`;
}

function unknownTokens(provider: string): string {
  return `"${provider}" did not say how many tokens were used`;
}

function showUsd(cost: number): string {
  return String(Number(cost.toPrecision(6)));
}

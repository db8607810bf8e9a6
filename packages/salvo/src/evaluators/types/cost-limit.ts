import type { AssertionOf } from '../../scenario/schema/assertion-schema.ts';
import type { Evaluator } from '../evaluator.ts';

/** For rounding errors of sums, such as 0.1 + 0.2 > 0.3. */
const TOLERANCE = 1e-9;

/** Passes if the trial cost no more than `max_usd`. An unknown cost is not scored. */
export const evaluateCostLimit: Evaluator<AssertionOf<'cost_limit'>> = (assertion, trace) => {
  const limit = assertion.max_usd;
  if (trace.cost_usd === null) {
    const why = trace.total_tokens === null ? unknownTokens(trace.provider) : unknownPrice(trace.model);
    return { score: null, details: `the cost is unknown, so it cannot be compared with ${limit} USD: ${why}` };
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

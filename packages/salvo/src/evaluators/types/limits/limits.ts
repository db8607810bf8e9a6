import type { AssertionOf } from '../../../scenario/schema/assertion-schema.ts';
import type { Evaluator } from '../../evaluator.ts';

/** For rounding errors of sums, such as 0.1 + 0.2 > 0.3. */
export const TOLERANCE = 1e-9;

/** Passes if the trial cost no more than `max_usd`. An unknown cost is not scored. */
export const evaluateCostLimit: Evaluator<AssertionOf<'cost_limit'>> = ({ max_usd: limit }, trace) => {
  const { cost_usd: cost, total_tokens, provider, model } = trace;
  if (cost === null) {
    const why =
      total_tokens === null
        ? `"${provider}" did not say how many tokens were used`
        : `add a price for "${model}" under "prices" in salvo.yaml`;
    return { score: null, details: `the cost is unknown, so it cannot be compared with ${limit} USD: ${why}` };
  }
  const score = cost <= limit * (1 + TOLERANCE) ? 1 : 0;
  return { score, details: `cost ${Number(cost.toPrecision(6))} USD, at most ${limit} USD allowed` };
};

/** Passes if the trial took no longer than `max_seconds`. An unknown time is not scored. */
export const evaluateLatencyLimit: Evaluator<AssertionOf<'latency_limit'>> = (
  { max_seconds: limit },
  { latency_seconds: seconds },
) => {
  if (seconds === null) {
    const why = 'the conversation was recorded elsewhere, and does not say how long the agent took';
    return { score: null, details: `the time is unknown, so it cannot be compared with ${limit} s: ${why}` };
  }
  const score = seconds <= limit ? 1 : 0;
  return { score, details: `took ${Number(seconds.toPrecision(6))} s, at most ${limit} s allowed` };
};

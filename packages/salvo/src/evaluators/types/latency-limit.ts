import type { AssertionOf } from '../../scenario/schema/assertion-schema.ts';
import type { Evaluator } from '../evaluator.ts';

/** Passes if the trial took no longer than `max_seconds`. An unknown time is not scored. */
export const evaluateLatencyLimit: Evaluator<AssertionOf<'latency_limit'>> = (assertion, trace) => {
  const { max_seconds: limit } = assertion;
  const seconds = trace.latency_seconds;
  if (seconds === null) {
    const why = 'the conversation was recorded elsewhere, and does not say how long the agent took';
    return { score: null, details: `the time is unknown, so it cannot be compared with ${limit} s: ${why}` };
  }
  return {
    score: seconds <= limit ? 1 : 0,
    details: `took ${Number(seconds.toPrecision(6))} s, at most ${limit} s allowed`,
  };
};

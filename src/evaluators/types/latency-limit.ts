import type { AssertionOf } from '../../scenario/schema/assertion-schema.ts';
import type { Evaluator } from '../evaluator.ts';

/** Passes if the trial took no longer than `max_seconds`. */
export const evaluateLatencyLimit: Evaluator<AssertionOf<'latency_limit'>> = (assertion, trace) => ({
  score: trace.latency_seconds <= assertion.max_seconds ? 1 : 0,
  details: `took ${Number(trace.latency_seconds.toPrecision(6))} s, at most ${assertion.max_seconds} s allowed`,
});

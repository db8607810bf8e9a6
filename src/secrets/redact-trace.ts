import type { Trace } from '../trace/trace.ts';
import type { RedactText } from './redact-text.ts';
import { redactValue } from './redact-value.ts';

/** A trace without secrets. */
export function redactTrace(trace: Trace, redactText: RedactText): Trace {
  const { timestamp, scenario_hash, ...rest } = trace;
  // Not text: a pattern that matches digits must take neither the time nor the link to the scenario.
  return { ...redactValue(rest, redactText), timestamp, scenario_hash };
}

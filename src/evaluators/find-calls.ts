import { matchesArguments } from '../scenario/compile/argument-match.ts';
import type { ToolCallRecord, Trace } from '../trace/trace.ts';
import { shorten, showValue } from './show-value.ts';

interface FoundCalls {
  /** All calls of the tool. */
  calls: ToolCallRecord[];
  /** Those with arguments that match. */
  matching: ToolCallRecord[];
  /** The arguments demanded, to follow "was called"; empty when any will do. */
  wanted: string;
}

/** The calls of a tool in a trace, and which of them an assertion means. */
export function findCalls(
  trace: Trace,
  demand: { tool: string; arguments?: Record<string, unknown> | string | undefined },
): FoundCalls {
  const calls = trace.tool_calls_made.filter(({ name }) => name === demand.tool);
  const match = demand.arguments;
  if (match === undefined) return { calls, matching: calls, wanted: '' };
  return {
    calls,
    matching: calls.filter((call) => matchesArguments(call.arguments, match)),
    wanted: ` with ${typeof match === 'string' ? shorten(match, 120) : showValue(match)}`,
  };
}

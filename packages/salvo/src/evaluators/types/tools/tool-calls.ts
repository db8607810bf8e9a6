import { matchesArguments } from '../../../scenario/compile/argument-match.ts';
import { sameTool } from '../../../trace/agent-call.ts';
import type { ToolCallRecord, Trace } from '../../../trace/trace.ts';
import { shorten, showValue } from '../../show-value.ts';

const MAX_SHOWN = 5;

interface FoundCalls {
  /** All calls of the tool. */
  calls: ToolCallRecord[];
  /** The calls whose arguments match. */
  matching: ToolCallRecord[];
  /** The demanded arguments, to follow "was called"; empty if any are accepted. */
  wanted: string;
}

/** The calls of a tool in a trace, and those of them whose arguments an assertion demands. */
export function findCalls(
  trace: Trace,
  demand: { tool: string; arguments?: Record<string, unknown> | string | undefined },
): FoundCalls {
  const calls = trace.tool_calls_made.filter(({ name }) => sameTool(name, demand.tool));
  const match = demand.arguments;
  if (match === undefined) return { calls, matching: calls, wanted: '' };
  return {
    calls,
    matching: calls.filter((call) => matchesArguments(call.arguments, match)),
    wanted: ` with ${typeof match === 'string' ? shorten(match, 120) : showValue(match)}`,
  };
}

/** Calls in the order of their first appearance, equal ones counted: `lookup_order (2x), send_email`. */
export function showCalls(calls: string[]): string {
  const counts = new Map<string, number>();
  for (const call of calls) counts.set(call, (counts.get(call) ?? 0) + 1);
  const shown = [...counts]
    .slice(0, MAX_SHOWN)
    .map(([call, count]) => (count === 1 ? shorten(call, 120) : `${shorten(call, 120)} (${count}x)`));
  if (counts.size > MAX_SHOWN) shown.push(`and ${counts.size - MAX_SHOWN} more`);
  return shown.join(', ');
}

/** What is known of calls: a recorder sees only that the model asked for them. */
export function calledWords({ observed }: Pick<Trace, 'observed'>): string {
  return observed?.by === 'model' ? 'requested by the model' : 'called';
}

export function showTimes(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

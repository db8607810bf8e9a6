import { canonicalJson } from '../text/json/canonical-json.ts';
import type { ToolCallRecord } from '../trace/trace.ts';

/**
 * The calls that the mocks answered, and those that the agent reports: it may report its own tools, the mocks, or both.
 * Two calls are the same one if name and arguments are equal. The mock's answer then counts.
 */
export function mergeToolCalls(
  recorded: readonly ToolCallRecord[],
  reported: readonly ToolCallRecord[],
): { unreported: ToolCallRecord[]; reported: ToolCallRecord[] } {
  const byKey = Map.groupBy(recorded, keyOf);
  const merged = reported.map((call) => {
    const match = byKey.get(keyOf(call))?.shift();
    return match ? { ...match, id: call.id, turn: call.turn } : call;
  });
  const left = new Set([...byKey.values()].flat());
  return { unreported: recorded.filter((call) => left.has(call)), reported: merged };
}

function keyOf({ name, arguments: args }: ToolCallRecord): string {
  return `${name} ${canonicalJson(args)}`;
}

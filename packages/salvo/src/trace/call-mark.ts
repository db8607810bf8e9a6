import type { FaultRecord, ToolCallRecord, Trace } from './trace.ts';

/** What a reader has to know about a call that had a fault, or that Salvo did not answer itself; null of any other. */
export function callMark({ tool_calls_made }: Trace, { id, turn }: { id: string; turn: number }): string | null {
  // Ids can repeat over a long conversation.
  const sameId = tool_calls_made.filter((call) => call.id === id);
  const call = sameId.find((each) => each.turn === turn) ?? sameId[0];
  return call ? markOf(call) : null;
}

function markOf({ seen, bypassed_mock, agent, fault, is_error }: ToolCallRecord): string | null {
  if (fault) return faultMark(fault, is_error);
  if (seen === 'requested') return 'requested, not executed';
  if (seen !== 'reported') return null;
  const marks = [bypassed_mock ? 'not by the mock' : '', agent ? 'an agent, its own calls were not seen' : ''];
  return ['reported', ...marks.filter((mark) => mark !== '')].join(', ');
}

function faultMark({ kind, tool, injection }: FaultRecord, isError: boolean): string {
  if (injection) return `fault: injection (${injection.id}: ${injection.style})`;
  if (tool === 'not_called') return `fault: ${kind}, the tool was not called`;
  return `fault: ${kind}${isError ? `, after the tool ${tool}` : ''}`;
}

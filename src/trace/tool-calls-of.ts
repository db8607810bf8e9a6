import type { Message } from './message.ts';
import type { ToolCallRecord } from './trace.ts';

/** The tool calls of a conversation with their results, in order, read off its messages. */
export function toolCallsOf(messages: Message[]): ToolCallRecord[] {
  const calls: ToolCallRecord[] = [];
  const open = new Map<string, ToolCallRecord[]>();
  let turn = 0;
  for (const message of messages) {
    if (message.role === 'assistant') {
      turn += 1;
      for (const { id, name, arguments: args } of message.tool_calls) {
        const call = { id, name, arguments: args, turn, result: null, is_error: false };
        calls.push(call);
        const sameId = open.get(id);
        if (sameId) sameId.push(call);
        else open.set(id, [call]);
      }
    } else if (message.role === 'tool_result') {
      // Ids can repeat over a long conversation: the result belongs to the newest call without one.
      const call = open.get(message.tool_call_id)?.pop();
      if (call) Object.assign(call, { result: message.content, is_error: message.is_error });
    }
  }
  return calls;
}

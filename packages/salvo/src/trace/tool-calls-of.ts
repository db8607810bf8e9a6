import { remembered } from '../text/memo.ts';
import { isAgentCall } from './agent-call.ts';
import type { Message, ToolResultMessage } from './message.ts';
import type { ToolCallRecord } from './trace.ts';

/**
 * The tool calls of a conversation with their results, in order, read off its messages. A call without a result, and one
 * that was refused, was only requested.
 */
export function toolCallsOf(messages: Message[]): ToolCallRecord[] {
  const calls: ToolCallRecord[] = [];
  const open = new Map<string, ToolCallRecord[]>();
  let turn = 0;
  for (const message of messages) {
    if (message.role === 'assistant') {
      turn += 1;
      for (const { id, name, arguments: args } of message.tool_calls) {
        const call: ToolCallRecord = {
          ...{ id, name, arguments: args, turn, result: null, is_error: false, seen: 'requested' },
          ...(isAgentCall({ name, arguments: args }) ? { agent: true } : {}),
        };
        calls.push(call);
        remembered(open, id, () => []).push(call);
      }
    } else if (message.role === 'tool_result') {
      // Ids can repeat over a long conversation: the result belongs to the newest call without one.
      const call = open.get(message.tool_call_id)?.pop();
      if (!call) continue;
      const seen = isRefusal(message) ? 'requested' : 'reported';
      Object.assign(call, { result: message.content, is_error: message.is_error, seen });
    }
  }
  return calls;
}

/** What SDKs write as the result of a call that a person did not approve. They do not mark it otherwise. */
const NOT_APPROVED = [
  /^Tool execution was not approved\.?$/i,
  /^The user doesn't want to (?:proceed with this tool use|take this action)\b/,
  /^User rejected (?:the )?tool (?:call|use)\b/i,
  /^Claude requested permissions? to use \S+, but you haven't granted it yet\b/,
];

function isRefusal({ refused, content }: ToolResultMessage): boolean {
  return refused === true || NOT_APPROVED.some((pattern) => pattern.test(content));
}

import type { Message } from '../../trace/message.ts';
import type { TurnRequest } from '../adapter.ts';

/** What an agent behind AG-UI receives. Salvo is its front end: the scenario's tools are those of the front end. */
export function runInput({ messages, tools, config }: TurnRequest, state: unknown): Record<string, unknown> {
  const threadId = config.conversation?.id ?? 'thread';
  return {
    threadId,
    runId: `${threadId}-${config.conversation?.request ?? 0}`,
    state: state ?? {},
    messages: messages.map((message, index) => ({ id: `${threadId}-message-${index}`, ...asMessage(message) })),
    tools,
    context: [],
    forwardedProps: {},
  };
}

function asMessage(message: Message): Record<string, unknown> {
  switch (message.role) {
    case 'tool_result':
      return { role: 'tool', toolCallId: message.tool_call_id, content: message.content };
    case 'assistant':
      return {
        role: 'assistant',
        content: message.content ?? '',
        ...(message.tool_calls.length > 0 && {
          toolCalls: message.tool_calls.map(({ id, name, arguments: args }) => ({
            id,
            type: 'function',
            function: { name, arguments: JSON.stringify(args) },
          })),
        }),
      };
    default:
      return { role: message.role, content: message.content };
  }
}

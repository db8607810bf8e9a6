import type { Message } from '../message.ts';

/** A message that LangChain and LangGraph make one of their own of, in JavaScript and in Python. */
export type LangChainMessage =
  | { role: 'system' | 'user'; content: string }
  | {
      role: 'assistant';
      content: string;
      tool_calls: { type: 'tool_call'; id: string; name: string; args: Record<string, unknown> }[];
    }
  | { role: 'tool'; content: string; tool_call_id: string; name: string; status: 'success' | 'error' };

export function langChainMessages(messages: readonly Message[]): LangChainMessage[] {
  return messages.map(langChainMessage);
}

function langChainMessage(message: Message): LangChainMessage {
  if (message.role === 'tool_result') {
    const { content, tool_call_id, name, is_error } = message;
    return { role: 'tool', content, tool_call_id, name, status: is_error ? 'error' : 'success' };
  }
  if (message.role !== 'assistant') return { role: message.role, content: message.content };
  const calls = message.tool_calls.map(({ id, name, arguments: args }) => {
    return { type: 'tool_call' as const, id, name, args };
  });
  return { role: 'assistant', content: message.content ?? '', tool_calls: calls };
}

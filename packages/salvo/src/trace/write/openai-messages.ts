import { z } from 'zod';
import type { AssistantMessage, Message } from '../message.ts';

/** A message of OpenAI's chat completions. */
export type OpenAiMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: OpenAiToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

interface OpenAiToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** What servers expect back beside text and calls: reasoning (DeepSeek, OpenRouter), signatures of calls (Gemini). */
const stateSchema = z.object({
  openai: z.object({
    message: z.record(z.string(), z.unknown()),
    tool_calls: z.array(z.record(z.string(), z.unknown())),
  }),
});

export function openAiMessages(messages: readonly Message[]): OpenAiMessage[] {
  return messages.map(openAiMessage);
}

function openAiMessage(message: Message): OpenAiMessage {
  if (message.role === 'assistant') return assistantMessage(message);
  const { role, content } = message;
  return role === 'tool_result' ? { role: 'tool', tool_call_id: message.tool_call_id, content } : { role, content };
}

function assistantMessage({ content, tool_calls, provider_state }: AssistantMessage): OpenAiMessage {
  if (tool_calls.length === 0) return { role: 'assistant', content: content ?? '' };
  const state = stateSchema.safeParse(provider_state).data?.openai;
  return {
    role: 'assistant',
    content,
    tool_calls: tool_calls.map((call, index) => ({
      ...state?.tool_calls[index],
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.raw_arguments ?? JSON.stringify(call.arguments) },
    })),
    ...state?.message,
  };
}

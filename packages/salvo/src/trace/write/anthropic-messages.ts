import { z } from 'zod';
import type { AssistantMessage, Message, ToolResultMessage } from '../message.ts';

/** A message of Anthropic's Messages API, in which the system prompt is a field of the request. */
export interface AnthropicMessage {
  role: 'user' | 'assistant';
  content: string | AnthropicBlock[];
}

type AnthropicBlock =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> }
  | { type: 'tool_result'; tool_use_id: string; content?: string; is_error?: true };

/** Signed thinking must be sent back unchanged and in its place, so a turn that has some is kept whole. */
const stateSchema = z.object({
  anthropic: z.object({ content: z.array(z.looseObject({ type: z.string() })) }),
});

/** The results of parallel calls must be together in one message, right after the calls. */
export function anthropicMessages(messages: readonly Message[]): AnthropicMessage[] {
  const wire: AnthropicMessage[] = [];
  for (const message of messages) {
    if (message.role === 'user' && hasText(message.content)) wire.push({ role: 'user', content: message.content });
    if (message.role === 'assistant') {
      const content = assistantBlocks(message);
      if (content.length > 0) wire.push({ role: 'assistant', content });
    }
    if (message.role === 'tool_result') {
      const last = wire.at(-1);
      if (last?.role === 'user' && typeof last.content !== 'string') last.content.push(toolResultBlock(message));
      else wire.push({ role: 'user', content: [toolResultBlock(message)] });
    }
  }
  return wire;
}

function assistantBlocks({ content, tool_calls, provider_state }: AssistantMessage): AnthropicBlock[] {
  const state = stateSchema.safeParse(provider_state).data?.anthropic.content;
  // The blocks came from this API in an earlier turn, and are not checked again.
  if (state)
    return state.filter((block) => block.type !== 'text' || hasText(block.text)) as unknown[] as AnthropicBlock[];
  return [
    ...(content !== null && hasText(content) ? [{ type: 'text' as const, text: content }] : []),
    ...tool_calls.map(({ id, name, arguments: input }) => {
      return { type: 'tool_use' as const, id: safeId(id), name, input };
    }),
  ];
}

function toolResultBlock({ tool_call_id, content, is_error }: ToolResultMessage): AnthropicBlock {
  return {
    type: 'tool_result',
    tool_use_id: safeId(tool_call_id),
    ...(content !== '' && { content }),
    ...(is_error && { is_error }),
  };
}

/** Anthropic and Bedrock reject ids with other characters, which the earlier turns of a scenario may have. */
export function safeId(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, '_');
}

/** Anthropic and Bedrock reject text that is empty or only white space. */
export function hasText(text: unknown): boolean {
  return typeof text === 'string' && text.trim() !== '';
}

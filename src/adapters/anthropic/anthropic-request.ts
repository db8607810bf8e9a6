import type { ContentBlockParam, MessageParam, Tool } from '@anthropic-ai/sdk/resources/messages';
import { z } from 'zod';
import type { AssistantMessage, Message, ToolResultMessage } from '../../trace/message.ts';
import type { ToolDefinition, TurnRequest } from '../adapter.ts';

/** The API requires a limit; this one is used when the scenario sets none. */
const DEFAULT_MAX_TOKENS = 4096;

/** Signed thinking must be sent back unchanged and in its place, so a turn that has some is kept whole. */
const anthropicStateSchema = z.object({
  anthropic: z.object({ content: z.array(z.looseObject({ type: z.string() })) }),
});

/** The body of a Messages request. This API has no seed. The scenario's `extras` override everything else. */
export function anthropicRequestBody({ messages, tools, config }: TurnRequest): Record<string, unknown> {
  const { stream: _, ...extras } = config.extras ?? {};
  const system = messages.flatMap((message) => (message.role === 'system' ? [message.content] : [])).filter(hasText);
  return {
    model: config.model,
    max_tokens: config.maxTokens ?? DEFAULT_MAX_TOKENS,
    ...(system.length > 0 && { system: system.join('\n\n') }),
    messages: wireMessages(messages),
    ...(tools.length > 0 && { tools: tools.map(wireTool) }),
    ...(config.temperature !== undefined && { temperature: config.temperature }),
    ...extras,
  };
}

/** The results of parallel calls must be together in one message, right after the calls. */
function wireMessages(messages: Message[]): MessageParam[] {
  const wire: MessageParam[] = [];
  let results: ContentBlockParam[] | null = null;
  for (const message of messages) {
    if (message.role === 'tool_result') {
      if (results === null) {
        results = [];
        wire.push({ role: 'user', content: results });
      }
      results.push(toolResultBlock(message));
      continue;
    }
    if (message.role === 'system') continue;
    results = null;
    if (message.role === 'user') {
      if (hasText(message.content)) wire.push({ role: 'user', content: message.content });
      continue;
    }
    const content = assistantBlocks(message);
    if (content.length > 0) wire.push({ role: 'assistant', content });
  }
  return wire;
}

function assistantBlocks({ content, tool_calls, provider_state }: AssistantMessage): ContentBlockParam[] {
  const state = anthropicStateSchema.safeParse(provider_state).data?.anthropic.content;
  // The blocks came from this API in an earlier turn, and are not checked again.
  if (state)
    return state.filter((block) => block.type !== 'text' || hasText(block.text)) as unknown[] as ContentBlockParam[];
  return [
    ...(content !== null && hasText(content) ? [{ type: 'text' as const, text: content }] : []),
    ...tool_calls.map((call) => ({
      type: 'tool_use' as const,
      id: wireId(call.id),
      name: call.name,
      input: call.arguments,
    })),
  ];
}

function toolResultBlock({ tool_call_id, content, is_error }: ToolResultMessage): ContentBlockParam {
  return {
    type: 'tool_result',
    tool_use_id: wireId(tool_call_id),
    ...(content !== '' && { content }),
    ...(is_error && { is_error }),
  };
}

function wireTool({ name, description, parameters }: ToolDefinition): Tool {
  return { name, ...(description && { description }), input_schema: { type: 'object', ...parameters } };
}

/** The API rejects ids with other characters, which the earlier turns of a scenario may have. */
function wireId(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, '_');
}

/** The API rejects text that is empty or only white space. */
function hasText(text: unknown): boolean {
  return typeof text === 'string' && text.trim() !== '';
}

import type { Tool } from '@anthropic-ai/sdk/resources/messages';
import { anthropicMessages, hasText } from '../../trace/write/anthropic-messages.ts';
import type { ToolDefinition, TurnRequest } from '../adapter.ts';
import { furtherFields } from '../call/own-fields.ts';

/** The API requires a limit; this one is used when the scenario sets none. */
const DEFAULT_MAX_TOKENS = 4096;

/** The body of a Messages request. This API has no seed. The scenario's `extras` add to what Salvo sends. */
export function anthropicRequestBody({ messages, tools, config }: TurnRequest): Record<string, unknown> {
  const system = messages.flatMap((message) => (message.role === 'system' ? [message.content] : [])).filter(hasText);
  return {
    model: config.model,
    max_tokens: config.maxTokens ?? DEFAULT_MAX_TOKENS,
    ...(system.length > 0 && { system: system.join('\n\n') }),
    messages: anthropicMessages(messages),
    ...(tools.length > 0 && { tools: tools.map(wireTool) }),
    ...(config.temperature !== undefined && { temperature: config.temperature }),
    ...furtherFields(config.extras, config),
  };
}

function wireTool({ name, description, parameters }: ToolDefinition): Tool {
  return { name, ...(description && { description }), input_schema: { type: 'object', ...parameters } };
}

import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { z } from 'zod';
import type { AssistantMessage, Message } from '../../trace/message.ts';
import type { ToolDefinition, TurnRequest } from '../adapter.ts';

interface OpenAiRequest extends TurnRequest {
  /** Where the request is sent: OpenAI's own servers use another name for the token limit. */
  baseUrl: string;
}

/** What servers expect back beside text and calls: reasoning (DeepSeek, OpenRouter), signatures of calls (Gemini). */
const openAiStateSchema = z.object({
  openai: z.object({
    message: z.record(z.string(), z.unknown()),
    tool_calls: z.array(z.record(z.string(), z.unknown())),
  }),
});

/** The body of a chat completion request. The scenario's `extras` override everything except streaming. */
export function openAiRequestBody({ messages, tools, config, baseUrl }: OpenAiRequest): Record<string, unknown> {
  const { stream: _, stream_options: __, ...extras } = config.extras ?? {};
  const limitIsGiven = 'max_tokens' in extras || 'max_completion_tokens' in extras;
  const reasons = isReasoningModel(config.model, baseUrl);
  return {
    model: config.model,
    messages: messages.map(wireMessage),
    ...(tools.length > 0 && { tools: tools.map(wireTool) }),
    // A reasoning model rejects a request with a temperature; its chat variant does not.
    ...(config.temperature !== undefined &&
      !(reasons && !/-chat/.test(config.model)) && { temperature: config.temperature }),
    ...(config.maxTokens !== undefined &&
      // It rejects `max_tokens`, too; compatible servers often know no other name.
      !limitIsGiven && { [reasons ? 'max_completion_tokens' : 'max_tokens']: config.maxTokens }),
    ...(config.seed !== undefined && { seed: config.seed }),
    ...extras,
  };
}

function wireMessage(message: Message): ChatCompletionMessageParam {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.content };
    case 'tool_result':
      return { role: 'tool', tool_call_id: message.tool_call_id, content: message.content };
    case 'assistant':
      return wireAssistantMessage(message);
  }
}

function wireAssistantMessage({ content, tool_calls, provider_state }: AssistantMessage): ChatCompletionMessageParam {
  if (tool_calls.length === 0) return { role: 'assistant', content: content ?? '' };
  const state = openAiStateSchema.safeParse(provider_state).data?.openai;
  return {
    role: 'assistant',
    content,
    tool_calls: tool_calls.map((call, index) => ({
      ...state?.tool_calls[index],
      id: call.id,
      type: 'function' as const,
      function: { name: call.name, arguments: call.raw_arguments ?? JSON.stringify(call.arguments) },
    })),
    ...state?.message,
  };
}

function wireTool({ name, description, parameters }: ToolDefinition): ChatCompletionTool {
  return { type: 'function', function: { name, ...(description && { description }), parameters } };
}

function isReasoningModel(model: string, baseUrl: string): boolean {
  const host = URL.parse(baseUrl)?.hostname ?? '';
  const isOpenAi = /(^|\.)openai\.com$|\.openai\.azure\.com$/.test(host);
  return isOpenAi && /^(ft:)?(o\d|gpt-[5-9])/.test(model);
}

import type { ChatCompletionTool } from 'openai/resources/chat/completions';
import { openAiMessages } from '../../trace/write/openai-messages.ts';
import type { ToolDefinition, TurnRequest } from '../adapter.ts';

interface OpenAiRequest extends TurnRequest {
  /** Where the request is sent: OpenAI's own servers use another name for the token limit. */
  baseUrl: string;
}

/** The body of a chat completion request. The scenario's `extras` override everything except streaming. */
export function openAiRequestBody({ messages, tools, config, baseUrl }: OpenAiRequest): Record<string, unknown> {
  const { stream: _, stream_options: __, ...extras } = config.extras ?? {};
  const limitIsGiven = 'max_tokens' in extras || 'max_completion_tokens' in extras;
  const reasons = isReasoningModel(config.model, baseUrl);
  return {
    model: config.model,
    messages: openAiMessages(messages),
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

function wireTool({ name, description, parameters }: ToolDefinition): ChatCompletionTool {
  return { type: 'function', function: { name, ...(description && { description }), parameters } };
}

function isReasoningModel(model: string, baseUrl: string): boolean {
  const host = URL.parse(baseUrl)?.hostname ?? '';
  const isOpenAi = /(^|\.)openai\.com$|\.openai\.azure\.com$/.test(host);
  return isOpenAi && /^(ft:)?(o\d|gpt-[5-9])/.test(model);
}

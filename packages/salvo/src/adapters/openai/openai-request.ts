import type { ChatCompletionTool } from 'openai/resources/chat/completions';
import { openAiMessages } from '../../trace/write/openai-messages.ts';
import type { ToolDefinition, TurnRequest } from '../adapter.ts';
import { furtherFields } from '../call/own-fields.ts';

interface OpenAiRequest extends TurnRequest {
  /** Where the request is sent: OpenAI's own servers use another name for the token limit. */
  baseUrl: string;
}

/** The body of a chat completion request. The scenario's `extras` add to what Salvo sends, and change none of it. */
export function openAiRequestBody({ messages, tools, config, baseUrl }: OpenAiRequest): Record<string, unknown> {
  const reasons = isReasoningModel(config.model, baseUrl);
  return {
    model: config.model,
    messages: openAiMessages(messages),
    ...(tools.length > 0 && { tools: tools.map(wireTool) }),
    // A reasoning model rejects a request with a temperature; its chat variant does not.
    ...(config.temperature !== undefined &&
      !(reasons && !/-chat/.test(config.model)) && { temperature: config.temperature }),
    // It rejects `max_tokens`, too; compatible servers often know no other name.
    ...(config.maxTokens !== undefined && { [reasons ? 'max_completion_tokens' : 'max_tokens']: config.maxTokens }),
    ...(config.seed !== undefined && { seed: config.seed }),
    ...furtherFields(config.extras, config),
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
